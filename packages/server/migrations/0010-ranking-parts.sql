-- What ranking needs of an original, sealed: an eighth of its packet, four to a page. Look-ups read those of all their candidates, and the
-- packets of a few. Originals from before are given theirs by the sweep, which has the key; until then look-ups read their packets.
create table ranking_part (
  image_no int primary key references original,
  part bytea not null
);
alter table ranking_part alter column part set storage plain;

-- How far originals have been searched for missing ranking parts.
create table ranking_part_search (
  one boolean primary key default true check (one),
  next_image_no int not null default 0
);
insert into ranking_part_search default values;
