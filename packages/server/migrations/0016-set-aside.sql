-- Originals that an operator has set aside, and a ledger of what operators do to an account's originals. A chain's head comes with its first row.

-- Since when equal bytes alone still find it; null of one that matches by content.
alter table original add column set_aside_at timestamptz(3);

alter table ledger_head drop constraint ledger_head_ledger_check;
alter table ledger_head add constraint ledger_head_ledger_check check (ledger in ('custody', 'usage', 'operation'));

create table operation_row (
  account_id uuid not null references account,
  seq bigint not null,
  at timestamptz(3) not null,
  kind text not null check (kind in ('setAside', 'reinstated')),
  original_image_hash bytea,
  reason text not null,
  previous_row_hash bytea not null,
  row_hash bytea not null,
  primary key (account_id, seq)
);

create function chain_operation_row() returns trigger language plpgsql as $$
begin
  new.at := date_trunc('milliseconds', clock_timestamp());
  insert into ledger_head as head (account_id, ledger, seq) values (new.account_id, 'operation', 1)
    on conflict (account_id, ledger) do update set seq = head.seq + 1
    returning seq, row_hash into strict new.seq, new.previous_row_hash;
  new.row_hash := sha256(convert_to(
    '{"at":' || ledger_instant(new.at)
    || ',"kind":' || ledger_text(new.kind)
    || ',"originalImageHash":' || ledger_hex(new.original_image_hash)
    || ',"previousRowHash":' || ledger_hex(new.previous_row_hash)
    || ',"reason":' || ledger_text(new.reason)
    || ',"seq":' || ledger_number(new.seq)
    || '}', 'UTF8'));
  update ledger_head set row_hash = new.row_hash where account_id = new.account_id and ledger = 'operation';
  return new;
end $$;

create trigger chain before insert on operation_row for each row execute function chain_operation_row();
create trigger append_only before update or delete on operation_row for each row execute function refuse_ledger_change();
create trigger never_truncated before truncate on operation_row execute function refuse_ledger_change();
