-- Postings of the latest originals are a row each. Those of older ones are gathered: for every word one row a round, with the numbers
-- of all originals of that round that have the word. A row of its own costs a posting some 58 bytes, in a list it costs a third or less.
alter table posting rename to old_posting;

create table recent_posting (
  word int not null,
  image_no int not null
);
insert into recent_posting select word, image_no from old_posting;
create index recent_posting_by_word on recent_posting (word, image_no);
drop table old_posting;

create table posting_list (
  word int not null,
  image_nos int[] not null
);
create index posting_list_by_word on posting_list (word);

create view own_posting as
  select word, image_no from recent_posting
  union all
  select word, image_no from posting_list cross join lateral unnest(image_nos) as listed (image_no);

-- Postings that an operator has moved to other servers: foreign partitions, none at first.
create table remote_posting (
  word int not null,
  image_no int not null
) partition by range (image_no);

create view posting as
  select word, image_no from own_posting union all select word, image_no from remote_posting;

-- A posting that is gathered meanwhile is a row no more when the first statement has waited for that, and the second one sees its list.
create function remove_posting() returns trigger language plpgsql set search_path from current as $$
begin
  delete from recent_posting where word = old.word and image_no = old.image_no;
  if not found then
    update posting_list set image_nos = array_remove(image_nos, old.image_no)
      where word = old.word and old.image_no = any(image_nos);
  end if;
  return old;
end
$$;
create trigger remove_posting instead of delete on own_posting for each row execute function remove_posting();

-- How far postings have been gathered.
create table posting_round (
  one boolean primary key default true check (one),
  -- Originals below this number have been through a round.
  begins_at int not null default 0,
  -- End of the round under way, and the word up to which it has come: at first one below all.
  ends_at int,
  last_word bigint not null default -2147483649
);
insert into posting_round default values;
