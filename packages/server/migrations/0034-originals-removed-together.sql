-- The postings of originals that end together leave word by word over all of them: two transactions that each end several wait for one another, never in a circle.

drop function remove_postings(int, int[]);

-- Postings as pairs: removed_nos[n] filed under words[n]. Shares of the index as the one before it took them (0033).
create function remove_postings(removed_nos int[], words int[]) returns void language plpgsql set search_path from current as $$
declare
  removed_no int;
  removed_word int;
begin
  perform pg_advisory_xact_lock_shared(1668050952, share)
    from (select distinct no % 64 as share from unnest(removed_nos) as no order by share) shares;
  for removed_word, removed_no in
    select distinct word, no from unnest(words, removed_nos) as filed (word, no) order by word, no
  loop
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
