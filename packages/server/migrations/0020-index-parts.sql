-- Parts of the index on other servers: whole ranges of numbers, whose postings in lists are there.
create table index_part (
  -- Of its schema there, and of the foreign server here.
  name text primary key,
  begins_at int not null unique,
  ends_at int not null check (ends_at > begins_at),
  -- Where it is, for people.
  address text not null,
  -- Since when its postings are counted there; null while they are copied.
  counted_at timestamptz(3)
);

-- Originals taken down whose postings may still be on another server, and the words they are filed under there.
create table posting_removal (
  image_no int primary key,
  words int[] not null
);

-- How much each list on other servers weighs: foreign partitions, as of remote_posting.
create table remote_list (
  word int not null,
  begins_at int not null,
  bytes int not null
) partition by range (begins_at);

-- Parts that an operator has made by hand.
insert into index_part (name, begins_at, ends_at, address, counted_at)
select server.srvname, bounds[1]::int, bounds[2]::int, server.srvname, now()
from pg_inherits
join pg_class on pg_class.oid = inhrelid
join pg_foreign_table on ftrelid = inhrelid
join pg_foreign_server server on server.oid = ftserver
cross join lateral regexp_match(pg_get_expr(relpartbound, inhrelid), 'FROM \(''?(\d+)''?\) TO \(''?(\d+)''?\)') as bounds
where inhparent = 'remote_posting'::regclass and bounds is not null;
