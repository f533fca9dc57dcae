-- What slots hold: entries, their manifests, and query images pooled on disk.

-- The process that commits the slot, by the advisory lock it holds; while it lives, nobody else changes the slot.
alter table slot add column committing_owner bigint;
create index on slot (committing_owner) where committing_owner is not null;
-- The slot has ceased to exist; its row goes when the last of its entries has.
alter table slot add column purging boolean not null default false;

create table slot_entry (
  entry_id bigint generated always as identity primary key,
  account_id uuid not null references account,
  slot_id text not null,
  image_hash bytea not null check (length(image_hash) = 32),
  -- The upload that is still bringing the entry, by its engine intent. Until the upload has been accepted the entry
  -- is nobody else's to see or to remove, even when its slot is gone: that is why there is no reference to slot.
  upload_id uuid,
  byte_length bigint not null,
  content_type text,
  created_at timestamptz(3) not null default now(),
  state text not null check (state in ('held', 'registered', 'answered', 'failed', 'errata', 'retry')),
  -- Why the entry failed, or will not register: the sentence of the answers.
  reason text,
  registration_id uuid,
  manifests_hash bytea,
  manifests_length bigint not null default 0,
  -- The registration packet of a held registration entry, sealed, and what is published with it.
  original_image_hash bytea,
  pixel_hash bytea,
  packet_version int,
  packet bytea,
  words int[],
  -- The verdict of an answered query, as it was given.
  verdict json
);
alter table slot_entry alter column packet set storage external;
create unique index slot_entry_shown on slot_entry (slot_id, image_hash) where upload_id is null;
create unique index slot_entry_uploading on slot_entry (upload_id, image_hash) where upload_id is not null;
-- What a commit has still to do, in its order; and what caps are counted by.
create index slot_entry_held on slot_entry (slot_id, image_hash) where upload_id is null and state = 'held';
create index slot_entry_by_state on slot_entry (slot_id, state);

create table slot_manifest (
  entry_id bigint not null references slot_entry on delete cascade,
  position int not null,
  kind text not null,
  form text not null check (form in ('json', 'jumbf')),
  stored bytea not null,
  primary key (entry_id, position)
);
alter table slot_manifest alter column stored set storage external;

-- One row for every query image on disk, written before the file and gone only when the file is verified absent.
-- Without an entry the file is due for deletion; its key is dropped at the same moment, so nobody can read it then.
create table pooled_query (
  file_name text primary key,
  -- The data directory that has the file.
  pool_id uuid not null,
  entry_id bigint unique references slot_entry on delete set null,
  sealed_key bytea,
  account_id uuid not null references account,
  slot_id text not null,
  image_hash bytea not null,
  byte_length bigint not null,
  -- The ledger already says that the deletion could not be verified.
  unverified boolean not null default false
);
create index on pooled_query (pool_id) where entry_id is null;
