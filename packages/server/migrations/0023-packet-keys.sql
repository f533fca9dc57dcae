-- Rotations of the key that packets and ranking parts are sealed under. The keys themselves are among the sealed ones: `packet encryption`, then
-- `packet encryption 2` and so on; the latest seals, earlier ones still open.
create table packet_key_rotation (
  key_number int primary key check (key_number > 1),
  begun_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  -- Originals after this number were never sealed under an earlier key.
  last_image_no int not null,
  -- Those up to this number are sealed under this key.
  sealed_to int not null default 0
);

-- How many keys packets have. None comes until the transaction ends: a rotation waits for those that publish (advisory lock 0x636c7005), so that
-- all they publish is sealed under the latest.
create function packet_keys_in_use() returns bigint language plpgsql set search_path from current as $$
begin
  perform pg_advisory_xact_lock_shared(1668050949);
  return (select count(*) from sealed_key where name ~ '^packet encryption( |$)');
end
$$;
