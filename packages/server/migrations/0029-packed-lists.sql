-- Lists of postings in three bytes a posting instead of four and the head of an array: ascending, the lowest 24 bits of each number, big-endian;
-- all numbers of a list have their other bits in common with the one that it began at.

create function listed_numbers(begins_at int, numbers bytea) returns setof int language sql immutable parallel safe begin atomic
  select ((begins_at >> 24) << 24) + (get_byte(numbers, at) << 16) + (get_byte(numbers, at + 1) << 8) + get_byte(numbers, at + 2)
  from generate_series(0, length(numbers) - 3, 3) as at;
end;

create function numbers_without(numbers bytea, image_no int) returns bytea language sql immutable parallel safe begin atomic
  select coalesce(string_agg(substring(numbers from at for 3), ''::bytea order by at), ''::bytea)
  from generate_series(1, length(numbers), 3) as at
  where substring(numbers from at for 3) <> substring(int4send(image_no) from 2);
end;

alter table posting_list rename to old_posting_list;
alter index posting_list_by_word rename to old_posting_list_by_word;

create table posting_list (
  word int not null,
  -- No number of the list is lower.
  begins_at int not null,
  numbers bytea not null
);
insert into posting_list (word, begins_at, numbers)
  select word, packed.begins_at, packed.numbers
  from old_posting_list cross join lateral (
    select min(image_no) as begins_at, string_agg(substring(int4send(image_no) from 2), ''::bytea order by image_no) as numbers
    from unnest(image_nos) as image_no group by image_no >> 24
  ) packed;
create index posting_list_by_word on posting_list (word);

create or replace view own_posting as
  select word, image_no from recent_posting
  union all
  select word, image_no from posting_list cross join lateral listed_numbers(begins_at, numbers) as listed (image_no);

drop table old_posting_list;

create or replace function remove_posting() returns trigger language plpgsql set search_path from current as $$
begin
  for attempt in 1..3 loop
    delete from recent_posting where word = old.word and image_no = old.image_no;
    exit when found;
    update posting_list set numbers = numbers_without(numbers, old.image_no)
      where word = old.word and begins_at >> 24 = old.image_no >> 24
        and numbers <> numbers_without(numbers, old.image_no);
    exit when found;
  end loop;
  return old;
end
$$;
