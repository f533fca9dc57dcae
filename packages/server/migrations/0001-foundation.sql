-- Accounts, tokens, charges, custody and usage ledgers, originals, records, the match index.

-- ---------------------------------------------------------------- accounts

create table account (
  account_id uuid primary key default gen_random_uuid(),
  name text,
  registration_grant bigint not null default 0 check (registration_grant >= 0),
  registration_consumed bigint not null default 0 check (registration_consumed >= 0),
  lookup_grant bigint not null default 0 check (lookup_grant >= 0),
  lookup_consumed bigint not null default 0 check (lookup_consumed >= 0),
  sequences_enabled boolean not null default false,
  max_request_bytes bigint not null check (max_request_bytes > 0),
  max_frames_per_sequence bigint not null check (max_frames_per_sequence > 0),
  created_at timestamptz(3) not null default now()
);

-- Apart from account, so that counting a call never waits for a charge.
create table account_call (
  account_id uuid primary key references account,
  call_count bigint not null default 0
);

create table token (
  token_id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account,
  label text,
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index on token (account_id);

-- ------------------------------------------------------------------- slots

create table slot (
  slot_id text primary key,
  account_id uuid not null references account,
  kind text not null check (kind in ('registration', 'lookup')),
  status text not null default 'open' check (status in ('open', 'committed')),
  -- Units its held entries reserve; counted only while the slot is open and not expired.
  held bigint not null default 0 check (held >= 0),
  opened_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  ceiling_at timestamptz(3) not null
);
create index on slot (account_id, kind) where status = 'open';
create index on slot (expires_at);

-- ----------------------------------------------------------------- charges

-- One row for every engine call under way: the units are already in `consumed`, and come back when the row
-- goes. The row's owner is a service process, known to live by the advisory lock it holds.
create table engine_intent (
  intent_id uuid primary key,
  owner bigint not null,
  account_id uuid not null references account,
  registrations bigint not null check (registrations >= 0),
  lookups bigint not null check (lookups >= 0),
  -- The pixels in custody for the call, so that a dead process's custody is closed in the ledger too.
  subject text check (subject in ('registrationImage', 'queryImage', 'frame')),
  image_hash bytea,
  byte_length bigint,
  slot_id text,
  created_at timestamptz(3) not null default now()
);
create index on engine_intent (owner);

-- ----------------------------------------------------------------- ledgers

create table ledger_head (
  account_id uuid not null references account,
  ledger text not null check (ledger in ('custody', 'usage')),
  seq bigint not null default 0,
  row_hash bytea not null default decode(repeat('00', 32), 'hex'),
  primary key (account_id, ledger)
);

create table custody_row (
  account_id uuid not null references account,
  seq bigint not null,
  at timestamptz(3) not null,
  kind text not null check (kind in ('received', 'derived', 'deleted', 'deleteUnverified')),
  subject text not null check (subject in ('registrationImage', 'queryImage', 'frame', 'packet')),
  image_hash bytea,
  sequence_id uuid,
  frame_id bigint,
  slot_id text,
  byte_length bigint not null,
  check_name text,
  previous_row_hash bytea not null,
  row_hash bytea not null,
  primary key (account_id, seq)
);

create table usage_row (
  account_id uuid not null references account,
  seq bigint not null,
  at timestamptz(3) not null,
  kind text not null check (kind in ('registration', 'preCheck', 'lookup', 'record')),
  units bigint not null check (units > 0),
  image_hash bytea,
  original_image_hash bytea,
  registration_id uuid,
  slot_id text,
  previous_row_hash bytea not null,
  row_hash bytea not null,
  primary key (account_id, seq)
);

-- RFC 8785 for what the ledgers hold: keys in order, no white space, strings of printable ASCII.
create function ledger_instant(at timestamptz) returns text language sql immutable strict as
  $$ select '"' || to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"' $$;
create function ledger_hex(bytes bytea) returns text language sql immutable as
  $$ select coalesce('"' || encode(bytes, 'hex') || '"', 'null') $$;
create function ledger_text(value text) returns text language sql immutable as
  $$ select coalesce(to_json(value)::text, 'null') $$;
create function ledger_number(value bigint) returns text language sql immutable as
  $$ select coalesce(value::text, 'null') $$;

create function chain_custody_row() returns trigger language plpgsql as $$
begin
  new.at := date_trunc('milliseconds', clock_timestamp());
  update ledger_head set seq = seq + 1 where account_id = new.account_id and ledger = 'custody'
    returning seq, row_hash into strict new.seq, new.previous_row_hash;
  new.row_hash := sha256(convert_to(
    '{"at":' || ledger_instant(new.at)
    || ',"byteLength":' || ledger_number(new.byte_length)
    || ',"check":' || ledger_text(new.check_name)
    || ',"frameId":' || ledger_number(new.frame_id)
    || ',"imageHash":' || ledger_hex(new.image_hash)
    || ',"kind":' || ledger_text(new.kind)
    || ',"previousRowHash":' || ledger_hex(new.previous_row_hash)
    || ',"seq":' || ledger_number(new.seq)
    || ',"sequenceId":' || ledger_text(new.sequence_id::text)
    || ',"slotId":' || ledger_text(new.slot_id)
    || ',"subject":' || ledger_text(new.subject)
    || '}', 'UTF8'));
  update ledger_head set row_hash = new.row_hash where account_id = new.account_id and ledger = 'custody';
  return new;
end $$;

create function chain_usage_row() returns trigger language plpgsql as $$
begin
  new.at := date_trunc('milliseconds', clock_timestamp());
  update ledger_head set seq = seq + 1 where account_id = new.account_id and ledger = 'usage'
    returning seq, row_hash into strict new.seq, new.previous_row_hash;
  new.row_hash := sha256(convert_to(
    '{"at":' || ledger_instant(new.at)
    || ',"imageHash":' || ledger_hex(new.image_hash)
    || ',"kind":' || ledger_text(new.kind)
    || ',"originalImageHash":' || ledger_hex(new.original_image_hash)
    || ',"previousRowHash":' || ledger_hex(new.previous_row_hash)
    || ',"registrationId":' || ledger_text(new.registration_id::text)
    || ',"seq":' || ledger_number(new.seq)
    || ',"slotId":' || ledger_text(new.slot_id)
    || ',"units":' || ledger_number(new.units)
    || '}', 'UTF8'));
  update ledger_head set row_hash = new.row_hash where account_id = new.account_id and ledger = 'usage';
  return new;
end $$;

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'the % ledger is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger chain before insert on custody_row for each row execute function chain_custody_row();
create trigger chain before insert on usage_row for each row execute function chain_usage_row();
create trigger append_only before update or delete on custody_row for each row execute function refuse_ledger_change();
create trigger append_only before update or delete on usage_row for each row execute function refuse_ledger_change();
create trigger never_truncated before truncate on custody_row execute function refuse_ledger_change();
create trigger never_truncated before truncate on usage_row execute function refuse_ledger_change();

-- -------------------------------------------------------------------- keys

-- Secrets, each sealed under the key-encryption key (AES-256-GCM: nonce, ciphertext, tag).
create table sealed_key (
  name text primary key,
  sealed bytea not null,
  created_at timestamptz(3) not null default now()
);

create table trust_chain (
  trust_version int primary key,
  trust_context text not null,
  -- Certificates in DER, private keys in PKCS#8, sealed.
  root_certificate bytea not null,
  intermediate_certificate bytea not null,
  sealed_root_key bytea not null,
  sealed_intermediate_key bytea not null,
  sealed_provenance_key bytea not null,
  created_at timestamptz(3) not null default now()
);

-- --------------------------------------------------- originals and records

create table original (
  image_no int generated always as identity primary key,
  original_image_hash bytea not null check (length(original_image_hash) = 32),
  image_hash bytea not null check (length(image_hash) = 32),
  pixel_hash bytea not null check (length(pixel_hash) = 32),
  account_id uuid not null references account,
  published_at timestamptz(3) not null default now(),
  taken_down_at timestamptz(3)
);
-- One live original for one file, whoever registers it and however many at once.
create unique index original_live_image on original (image_hash) where taken_down_at is null;
create index original_live_pixels on original (pixel_hash) where taken_down_at is null;
create index original_by_hash on original (original_image_hash);

create table registration (
  registration_id uuid primary key,
  account_id uuid not null references account,
  image_no int not null unique references original,
  registered_at timestamptz(3) not null default now(),
  taken_down_at timestamptz(3)
);
create index on registration (account_id);

-- What verifies a published record. It goes with the take-down; the original's row stays as the tombstone.
create table record (
  image_no int primary key references original,
  signed_at timestamptz(3) not null,
  canonical_version int not null,
  trust_version int not null references trust_chain,
  signature bytea not null,
  public_key bytea not null,
  leaf_certificate text not null,
  leaf_certificate_thumbprint text not null,
  collection_signature bytea,
  engine_record text not null
);

create table manifest (
  image_no int not null references original,
  position int not null,
  kind text not null,
  form text not null check (form in ('json', 'jumbf')),
  stored bytea not null,
  hash bytea,
  signature bytea,
  primary key (image_no, position)
);
alter table manifest alter column stored set storage external;

-- ------------------------------------------------------------- match index

-- The registration packet, sealed; `words` are its postings, kept so that a take-down finds them.
create table feature (
  image_no int primary key references original,
  packet_version int not null,
  packet bytea not null,
  words int[] not null
);
alter table feature alter column packet set storage external;

create table posting (
  word int not null,
  image_no int not null
) partition by range (image_no);
create index posting_by_word on posting (word, image_no);
