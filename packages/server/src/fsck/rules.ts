/** A rule of the stored data: a query that yields one row for every breach, with the breach as `what`. */
export interface Rule {
  readonly name: string;
  readonly breaches: string;
}

/** What holds in every committed state of the database, whatever is under way. */
export const STANDING_RULES: readonly Rule[] = [
  {
    name: "what is consumed of a grant equals its usage and the engine calls under way",
    breaches: `select account_id || ': ' || registration_consumed || '/' || lookup_consumed || ' consumed, derived '
        || used.registrations + taken.registrations || '/' || used.lookups + taken.lookups as what
      from account
      cross join lateral (
        select coalesce(sum(units) filter (where kind = 'registration'), 0) as registrations,
               coalesce(sum(units) filter (where kind <> 'registration'), 0) as lookups
        from usage_row where usage_row.account_id = account.account_id) as used
      cross join lateral (
        select coalesce(sum(registrations), 0) as registrations, coalesce(sum(lookups), 0) as lookups
        from engine_intent where engine_intent.account_id = account.account_id) as taken
      where registration_consumed <> used.registrations + taken.registrations
        or lookup_consumed <> used.lookups + taken.lookups`,
  },
  {
    name: "what a slot reserves equals its held entries",
    breaches: `select slot_id || ': ' || held || ' reserved, ' || entries || ' held' as what
      from slot cross join lateral (
        select count(*) as entries from slot_entry
        where slot_entry.slot_id = slot.slot_id and upload_id is null and state = 'held') as shown
      where held <> entries and not purging`,
  },
  {
    name: "an entry that is shown has its slot",
    breaches: `select entry_id::text as what from slot_entry
      where upload_id is null and not exists (select from slot where slot.slot_id = slot_entry.slot_id)`,
  },
  {
    name: "a held entry of a registration slot has its extraction, and no other entry has one",
    breaches: `select slot_entry.entry_id::text as what from slot_entry join slot using (slot_id)
      where upload_id is null and (kind = 'registration' and state = 'held') <> (packet is not null)`,
  },
  {
    name: "a held query has its pooled image, and no other entry has one",
    breaches: `select slot_entry.entry_id::text as what
      from slot_entry join slot using (slot_id) left join pooled_query using (entry_id)
      where upload_id is null and (kind = 'lookup' and state = 'held') <> (file_name is not null)`,
  },
  {
    name: "a registered entry names a registration of its account and image",
    breaches: `select entry_id::text as what
      from slot_entry
      left join registration using (registration_id)
      left join original on original.image_no = registration.image_no
      where state = 'registered' and (original.image_hash is distinct from slot_entry.image_hash
        or registration.account_id is distinct from slot_entry.account_id)`,
  },
  {
    name: "the key of a pooled query image is there exactly as long as its entry",
    breaches: `select file_name as what from pooled_query where (entry_id is null) <> (sealed_key is null)`,
  },
  {
    name: "a registration and its original live and end together",
    breaches: `select registration_id::text as what from registration join original using (image_no)
      where (original.taken_down_at is null) <> (registration.taken_down_at is null)`,
  },
  {
    name: "a live original has its record and its packet, and a taken-down one neither",
    breaches: `select 'original ' || original.image_no as what
      from original left join record using (image_no) left join feature using (image_no)
        left join ranking_part using (image_no)
      where (original.taken_down_at is null) <> (record.image_no is not null)
        or (original.taken_down_at is null) <> (feature.image_no is not null)
        or (original.taken_down_at is not null and ranking_part.image_no is not null)`,
  },
  {
    name: "a live record has what ties it to its entry in the log, and nothing else has",
    breaches: `select 'original ' || image_no as what from record full join log_nonce using (image_no)
      where record.image_no is null or log_nonce.image_no is null`,
  },
  {
    name: "the entry of a live record waits or has its place in the log",
    breaches: `select 'original ' || image_no as what
      from log_nonce left join log_pending using (entry_no) left join log_entry using (entry_no)
      where (log_pending.entry_no is null) = (log_entry.entry_no is null)`,
  },
  {
    name: "every place in the log is taken, once",
    breaches: `select size || ' entries, ' || places || ' places' as what from log_tree
      cross join (select count(*) as places, coalesce(max(position) + 1, 0) as after from log_entry) as taken
      where size <> places or size <> after`,
  },
  {
    name: "a live original is in the match index with all its words, and one taken down leaves it",
    // One pass over the postings, which every server that has some makes itself.
    breaches: `select 'original ' || image_no as what
      from original left join feature using (image_no) left join posting_removal removal using (image_no) left join (
        select image_no, count(*) as filed, sum(word) as total from own_posting group by image_no
        union all select image_no, count(*), sum(word) from remote_posting group by image_no
      ) posting using (image_no)
      where case when taken_down_at is not null then filed is not null and removal.image_no is null
        else (coalesce(filed, 0), coalesce(total, 0)) is distinct from
          (select (count(*), coalesce(sum(word), 0)) from filed_words(feature.words) as word) end`,
  },
  {
    name: "what is found as a C2PA store is a JUMBF manifest of a live record",
    breaches: `select 'original ' || image_no || ', manifest ' || position as what
      from c2pa_store left join manifest using (image_no, position)
      where form is distinct from 'jumbf'
      union all select 'original ' || image_no from c2pa_unread left join record using (image_no)
      where record.image_no is null`,
  },
  {
    name: "every registration was charged exactly once",
    breaches: `select coalesce(registration.registration_id, charged.registration_id)::text as what
      from registration full join (
        select registration_id, sum(units) as units from usage_row where kind = 'registration' group by 1
      ) as charged on charged.registration_id = registration.registration_id
      where registration.registration_id is null or charged.units is distinct from 1`,
  },
  {
    name: "an answered query was charged exactly once",
    breaches: `select slot_entry.entry_id::text as what
      from slot_entry where state = 'answered' and upload_id is null and 1 <> (
        select count(*) from usage_row where usage_row.account_id = slot_entry.account_id
          and usage_row.kind = 'lookup' and usage_row.slot_id = slot_entry.slot_id
          and usage_row.image_hash = slot_entry.image_hash)`,
  },
  {
    name: "pixels received are deleted, pooled, or with the engine",
    breaches: `select encode(image_hash, 'hex') || ' ' || subject || ': ' || sum(received) as what from (
        select account_id, image_hash, subject, case kind when 'received' then 1 else -1 end as received
        from custody_row where subject <> 'packet' and kind in ('received', 'deleted')
        union all select account_id, image_hash, 'queryImage', -1 from pooled_query
        union all select account_id, image_hash, subject, -1 from engine_intent where subject is not null
      ) as custody
      group by account_id, image_hash, subject having sum(received) <> 0`,
  },
  {
    name: "packets derived are deleted, published, or held by a slot",
    breaches: `select encode(image_hash, 'hex') || ': ' || sum(derived) as what from (
        select account_id, image_hash, case kind when 'derived' then 1 else -1 end as derived
        from custody_row where subject = 'packet' and sequence_id is null and kind in ('derived', 'deleted')
        union all select registration.account_id, image_hash, -1
        from feature join original using (image_no) join registration using (image_no)
        union all select account_id, image_hash, -1 from slot_entry where packet is not null
      ) as custody
      group by account_id, image_hash having sum(derived) <> 0`,
  },
  {
    name: "packets derived from frames are deleted, published, or held by a sequence",
    breaches: `select sequence_id || ' frame ' || frame_id || ': ' || sum(derived) as what from (
        select sequence_id, frame_id, image_hash, case kind when 'derived' then 1 else -1 end as derived
        from custody_row where subject = 'packet' and sequence_id is not null and kind in ('derived', 'deleted')
        union all select sequence_id, frame_id, image_hash, -1
        from feature join original using (image_no) where sequence_id is not null
        union all select sequence_id, frame_id, image_hash, -1 from frame_packet
      ) as custody
      group by sequence_id, frame_id, image_hash having sum(derived) <> 0`,
  },
  {
    name: "a packet of a frame has its member or its admission",
    breaches: `select 'packet ' || packet_id as what from frame_packet left join frame using (packet_id)
      where (admission_id is null) = (frame.frame_id is null)`,
  },
  {
    name: "a live original was published for one registration or for a sequence",
    breaches: `select 'original ' || image_no as what from original left join registration using (image_no)
      where original.taken_down_at is null and (registration_id is null) = (original.sequence_id is null)`,
  },
  {
    name: "a live original of a sequence has a member, and a member's original is live unless the operator took it down",
    breaches: `select 'original ' || image_no as what from original full join frame using (image_no)
      where frame.frame_id is null and original.sequence_id is not null and original.taken_down_at is null
        or frame.image_no is not null and (original.taken_down_at is not null and not exists (
            select from operation_row where kind = 'takenDown'
              and operation_row.original_image_hash = original.original_image_hash)
          or original.sequence_id is distinct from frame.sequence_id
          or original.original_image_hash is distinct from frame.original_image_hash)`,
  },
  {
    name: "a committed sequence has the record of its hash, and a record the sequence that it was made for",
    breaches: `select sequence.sequence_id::text as what
      from sequence left join sequence_record record using (sequence_hash)
      where state = 'committed' and (record.sequence_hash is null
        or outcome = 'registered' and record.sequence_id <> sequence.sequence_id)
      union all select encode(record.sequence_hash, 'hex')
      from sequence_record record left join sequence on sequence.sequence_id = record.sequence_id
        and sequence.sequence_hash = record.sequence_hash and state = 'committed'
      where sequence.sequence_id is null`,
  },
  {
    name: "an account is suspended exactly if its ledger of operations says so",
    breaches: `select account_id::text as what from account left join (
        select distinct on (account_id) account_id, kind from operation_row
        where kind in ('suspended', 'resumed') order by account_id, seq desc
      ) as latest using (account_id)
      where (suspended_at is not null) <> (kind is not distinct from 'suspended')`,
  },
  {
    name: "a live original is set aside exactly if the ledger of operations says so",
    // One that was taken down leaves its rows to the next of the same hash, which begins as no other does: not set
    // aside.
    breaches: `select 'original ' || image_no as what from original left join (
        select distinct on (account_id, original_image_hash) account_id, original_image_hash, kind from operation_row
        where kind in ('setAside', 'reinstated') order by account_id, original_image_hash, seq desc
      ) as latest using (account_id, original_image_hash)
      where taken_down_at is null and case when set_aside_at is not null then kind is distinct from 'setAside'
        else kind = 'setAside' and not exists (select from original as earlier
          where earlier.original_image_hash = original.original_image_hash and earlier.taken_down_at is not null) end`,
  },
  {
    name: "a sequence is as sealed as its chain",
    breaches: `select sequence_id::text as what from sequence cross join lateral (
        select count(*) filter (where type = 'HEAD') as heads, count(*) filter (where type = 'END') as ends,
          count(*) filter (where type = 'BODY') as bodies, count(*) filter (where image_no is not null) as published
        from frame where frame.sequence_id = sequence.sequence_id) as chain
      where heads <> 1 or ends <> (case when state in ('sealed', 'committed') then 1 else 0 end)
        or state = 'committed' and (bodies <> final_size or published <> final_size)
        or state = 'abandoned' and bodies > 0 or state = 'open' and published > 0`,
  },
  {
    name: "what a sequence counts of the disk is what its frames take",
    breaches: `select sequence_id || ': ' || frame_bytes || ' counted, ' || bytes || ' taken' as what
      from sequence cross join lateral (
        select bytes_of_frames(count(*)::int, coalesce(sum(length(packet)), 0)::bigint) as bytes
        from frame left join frame_packet using (packet_id) where frame.sequence_id = sequence.sequence_id) as chain
      where frame_bytes <> bytes`,
  },
];

/** What holds as well once no request is under way and the sweeps have run: nothing is left behind. */
export const REST_RULES: readonly Rule[] = [
  { name: "no engine call is open", breaches: "select intent_id::text as what from engine_intent" },
  {
    name: "no upload is half way",
    breaches: "select entry_id::text as what from slot_entry where upload_id is not null",
  },
  {
    name: "no admission of frames is half way",
    breaches: "select 'packet ' || packet_id as what from frame_packet where admission_id is not null",
  },
  {
    name: "no slot is claimed",
    breaches: "select slot_id as what from slot where committing_owner is not null",
  },
  {
    name: "no ended slot is left",
    breaches: "select slot_id as what from slot where purging",
  },
  {
    name: "no query image waits for its deletion",
    breaches: "select file_name as what from pooled_query where entry_id is null",
  },
];
