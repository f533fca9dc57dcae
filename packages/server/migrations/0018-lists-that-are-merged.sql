-- A list that a take-down waits for may have been merged into a longer one meanwhile, as a row may have been gathered: what is not found is
-- looked for again, by statements that see what has happened.
create or replace function remove_posting() returns trigger language plpgsql set search_path from current as $$
begin
  for attempt in 1..3 loop
    delete from recent_posting where word = old.word and image_no = old.image_no;
    exit when found;
    update posting_list set image_nos = array_remove(image_nos, old.image_no)
      where word = old.word and old.image_no = any(image_nos);
    exit when found;
  end loop;
  return old;
end
$$;
