-- What answers places and lists registrations: sizes of pictures, and how a registration came about.

-- Upright width and height in pixels, of what is registered or uploaded from here on.
alter table original add column width int, add column height int;
alter table slot_entry add column width int, add column height int;
alter table frame_packet add column width int, add column height int;

-- Whether it was registered by the commit of a slot; of those before, the usage ledger says so.
alter table registration add column from_slot boolean not null default false;
update registration set from_slot = true from usage_row
  where usage_row.account_id = registration.account_id and usage_row.kind = 'registration'
    and usage_row.registration_id = registration.registration_id and usage_row.slot_id is not null;

-- An account's registrations, newest first.
create index on registration (account_id, registered_at desc, registration_id desc);
drop index registration_account_id_idx;
