-- A ledger's row names the one before it by the hash that stands in that one.
create or replace function chain_custody_row() returns trigger language plpgsql as $$
declare
  previous bytea;
begin
  new.at := date_trunc('milliseconds', clock_timestamp());
  update ledger_head set seq = seq + 1 where account_id = new.account_id and ledger = 'custody'
    returning seq, row_hash into strict new.seq, previous;
  new.row_hash := sha256(convert_to(
    '{"at":' || ledger_instant(new.at)
    || ',"byteLength":' || ledger_number(new.byte_length)
    || ',"check":' || ledger_text(new.check_name)
    || ',"frameId":' || ledger_number(new.frame_id)
    || ',"imageHash":' || ledger_hex(new.image_hash)
    || ',"kind":' || ledger_text(new.kind)
    || ',"previousRowHash":' || ledger_hex(previous)
    || ',"seq":' || ledger_number(new.seq)
    || ',"sequenceId":' || ledger_text(new.sequence_id::text)
    || ',"slotId":' || ledger_text(new.slot_id)
    || ',"subject":' || ledger_text(new.subject)
    || '}', 'UTF8'));
  update ledger_head set row_hash = new.row_hash where account_id = new.account_id and ledger = 'custody';
  return new;
end $$;

create or replace function chain_usage_row() returns trigger language plpgsql as $$
declare
  previous bytea;
begin
  new.at := date_trunc('milliseconds', clock_timestamp());
  update ledger_head set seq = seq + 1 where account_id = new.account_id and ledger = 'usage'
    returning seq, row_hash into strict new.seq, previous;
  new.row_hash := sha256(convert_to(
    '{"at":' || ledger_instant(new.at)
    || ',"imageHash":' || ledger_hex(new.image_hash)
    || ',"kind":' || ledger_text(new.kind)
    || ',"originalImageHash":' || ledger_hex(new.original_image_hash)
    || ',"previousRowHash":' || ledger_hex(previous)
    || ',"registrationId":' || ledger_text(new.registration_id::text)
    || ',"seq":' || ledger_number(new.seq)
    || ',"slotId":' || ledger_text(new.slot_id)
    || ',"units":' || ledger_number(new.units)
    || '}', 'UTF8'));
  update ledger_head set row_hash = new.row_hash where account_id = new.account_id and ledger = 'usage';
  return new;
end $$;

alter table custody_row drop column previous_row_hash;
alter table usage_row drop column previous_row_hash;

-- Hashes are looked for whole, where nothing else is asked of their index: four bytes of each are enough.
drop index original_by_hash;
create index original_by_hash on original using hash (original_image_hash);
drop index original_live_pixels;
create index original_live_pixels on original using hash (pixel_hash) where taken_down_at is null;
