-- A take-down has its original's share of the index, one of 64 by number, from the first posting it removes until it ends: advisory lock (0x636c7008, share),
-- which take-downs hold together. What gathers postings takes the shares that no take-down has, so that nothing that both change is waited for in a circle.

create or replace function remove_postings(removed_no int, words int[]) returns void language plpgsql set search_path from current as $$
declare
  removed_word int;
begin
  perform pg_advisory_xact_lock_shared(1668050952, removed_no % 64);
  for removed_word in select distinct filed from unnest(words) as filed order by filed loop
    delete from recent_posting where word = removed_word and image_no = removed_no;
    continue when found;
    -- A list that is merged meanwhile is found as what it was merged to by the next attempt.
    for attempt in 1..2 loop
      update posting_list set numbers = numbers_without(numbers, removed_no)
        where word = removed_word and begins_at >> 24 = removed_no >> 24
          and numbers <> numbers_without(numbers, removed_no);
      exit when found;
    end loop;
  end loop;
end
$$;
