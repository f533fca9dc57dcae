-- When the table of nonces was last written anew, without those of records that were taken down.
create table log_nonce_rewrite (
  -- Nothing that was taken down before this instant is in the table's file.
  clean_before timestamptz(3) not null default '-infinity',
  tried_at timestamptz(3) not null default '-infinity',
  -- What the last try took.
  milliseconds int not null default 0
);
create unique index log_nonce_rewrite_once on log_nonce_rewrite ((true));
insert into log_nonce_rewrite default values;

create index on original (taken_down_at) where taken_down_at is not null;
