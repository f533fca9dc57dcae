-- Words that one family of originals has made common: a look-up reads only so many postings of such words.
create table heavy_word (
  word int primary key,
  postings int not null,
  counted_at timestamptz(3) not null default now()
);

-- How far the originals have been searched for words that repeat among them.
create table heavy_word_search (
  one boolean primary key default true check (one),
  next_image_no int not null default 0
);
insert into heavy_word_search default values;
