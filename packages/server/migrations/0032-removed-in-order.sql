-- An original's postings leave word by word, in the order of the words: take-downs that share words wait for one another and never in a circle.

drop trigger remove_posting on own_posting;
drop function remove_posting();

create function remove_postings(removed_no int, words int[]) returns void language plpgsql set search_path from current as $$
declare
  removed_word int;
begin
  for removed_word in select distinct filed from unnest(words) as filed order by filed loop
    -- A posting that is gathered meanwhile is found in its list by the next attempt.
    for attempt in 1..3 loop
      delete from recent_posting where word = removed_word and image_no = removed_no;
      exit when found;
      update posting_list set numbers = numbers_without(numbers, removed_no)
        where word = removed_word and begins_at >> 24 = removed_no >> 24
          and numbers <> numbers_without(numbers, removed_no);
      exit when found;
    end loop;
  end loop;
end
$$;
