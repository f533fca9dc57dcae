-- Accounts that are suspended, tokens that expire, and what operators do to accounts.

-- Since when its tokens open nothing.
alter table account add column suspended_at timestamptz(3);
alter table token add column expires_at timestamptz(3);

-- What is live of an account.
create index on original (account_id, image_no) where taken_down_at is null;

alter table operation_row drop constraint operation_row_kind_check;
alter table operation_row add constraint operation_row_kind_check
  check (kind in ('setAside', 'reinstated', 'takenDown', 'suspended', 'resumed'));
create index on operation_row (original_image_hash) where kind = 'takenDown';
