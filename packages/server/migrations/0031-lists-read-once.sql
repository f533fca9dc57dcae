-- A long list is kept apart from its row, and every function that is given such a value reads all of it. A list is therefore read once, into
-- a value of its own, before numbers are taken from it.

create or replace function listed_numbers(begins_at int, numbers bytea) returns setof int language sql immutable parallel safe begin atomic
  select ((begins_at >> 24) << 24) + (get_byte(read, at) << 16) + (get_byte(read, at + 1) << 8) + get_byte(read, at + 2)
  from (
    select read, generate_series(0, length(read) - 3, 3) as at
    from (select numbers || ''::bytea as read offset 0) list
  ) place;
end;

create or replace function numbers_without(numbers bytea, image_no int) returns bytea language sql immutable parallel safe begin atomic
  select coalesce(string_agg(substring(read from at for 3), ''::bytea order by at), ''::bytea)
  from (
    select read, generate_series(1, length(read), 3) as at
    from (select numbers || ''::bytea as read offset 0) list
  ) place
  where substring(read from at for 3) <> substring(int4send(image_no) from 2);
end;
