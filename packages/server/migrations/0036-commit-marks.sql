-- A transaction that writes leaves a mark: whether it has been committed is then known, though the answer to its COMMIT was lost.

create table commit_mark (
  mark uuid primary key,
  made_at timestamptz not null default now()
);
