-- Sequences: chains of frames that are registered as one.

create table sequence (
  sequence_id uuid primary key,
  account_id uuid not null references account,
  state text not null default 'open' check (state in ('open', 'sealed', 'committed', 'abandoned')),
  expected_size bigint check (expected_size > 0),
  opened_at timestamptz(3) not null default now(),
  -- What a commit that came to its end has made of it.
  sequence_hash bytea check (length(sequence_hash) = 32),
  outcome text check (outcome in ('registered', 'alreadyRegistered')),
  final_size bigint,
  committed_at timestamptz(3),
  check ((state = 'committed') = (committed_at is not null))
);
create index on sequence (account_id);

create table sequence_manifest (
  sequence_id uuid not null references sequence,
  position int not null,
  kind text not null,
  form text not null check (form in ('json', 'jumbf')),
  stored bytea not null,
  primary key (sequence_id, position)
);
alter table sequence_manifest alter column stored set storage external;

-- Registration packets of frames that are not published, sealed.
create table frame_packet (
  packet_id bigint generated always as identity primary key,
  account_id uuid not null references account,
  sequence_id uuid not null references sequence,
  frame_id bigint not null,
  -- The admission that is still bringing it, by its engine intent; until it has been accepted no member has it.
  admission_id uuid,
  image_hash bytea not null check (length(image_hash) = 32),
  original_image_hash bytea not null check (length(original_image_hash) = 32),
  pixel_hash bytea not null check (length(pixel_hash) = 32),
  packet_version int not null,
  packet bytea not null,
  words int[] not null
);
alter table frame_packet alter column packet set storage external;
create index on frame_packet (admission_id) where admission_id is not null;

-- The members of a chain.
create table frame (
  sequence_id uuid not null references sequence,
  frame_id bigint not null,
  account_id uuid not null references account,
  type text not null check (type in ('HEAD', 'BODY', 'END')),
  prev bigint,
  next bigint,
  frame_hash bytea not null check (length(frame_hash) = 32),
  -- The registered original that a BODY matched: it will not be published.
  erratum bytea check (length(erratum) = 32),
  -- BLAKE3-256 of its image, with a packet until it is published, with an original from then on.
  original_image_hash bytea check (length(original_image_hash) = 32),
  packet_id bigint unique references frame_packet,
  image_no int references original,
  primary key (sequence_id, frame_id)
);
create unique index frame_hash_once on frame (account_id, frame_hash);
create unique index frame_one_end on frame (sequence_id) where type = 'END';
create index on frame (image_no) where image_no is not null;

-- The frame that an original was published for; null for an image registered by itself.
alter table original add column sequence_id uuid references sequence;
alter table original add column frame_id bigint;
create index on original (sequence_id) where sequence_id is not null;

-- Null on the records of frames: the bytes are those of the sequence's manifest at the same position.
alter table manifest alter column stored drop not null;

alter table engine_intent add column sequence_id uuid;
alter table engine_intent add column frame_id bigint;

-- The engine's records of whole sequences.
create table sequence_record (
  sequence_hash bytea primary key check (length(sequence_hash) = 32),
  sequence_id uuid not null references sequence,
  recorded_at timestamptz(3) not null default now()
);
