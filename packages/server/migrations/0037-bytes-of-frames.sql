-- What an account's unfinished sequences take of the disk is asked whenever it sends frames, of which there may be a million: a sequence
-- keeps the sum of its own. A frame is a row with its place in three indexes, some 400 bytes, and the packet that it holds.

create function bytes_of_frames(frames int, packets bigint) returns bigint language sql immutable parallel safe
  return 400::bigint * frames + packets;

alter table sequence add column frame_bytes bigint not null default 0;

update sequence set frame_bytes = held.bytes
from (
  select frame.sequence_id, bytes_of_frames(count(*)::int, coalesce(sum(length(packet)), 0)::bigint) as bytes
  from frame left join frame_packet using (packet_id) group by frame.sequence_id
) held
where held.sequence_id = sequence.sequence_id;

-- Frames change under the lock of their sequence, and before their packets are let go of.
create function count_bytes_of_frames() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op <> 'INSERT' then
    update sequence set frame_bytes = frame_bytes - held.bytes
    from (
      select removed.sequence_id, bytes_of_frames(count(*)::int, coalesce(sum(length(packet)), 0)::bigint) as bytes
      from removed left join frame_packet using (packet_id) group by removed.sequence_id
    ) held
    where held.sequence_id = sequence.sequence_id;
  end if;
  if tg_op <> 'DELETE' then
    update sequence set frame_bytes = frame_bytes + held.bytes
    from (
      select added.sequence_id, bytes_of_frames(count(*)::int, coalesce(sum(length(packet)), 0)::bigint) as bytes
      from added left join frame_packet using (packet_id) group by added.sequence_id
    ) held
    where held.sequence_id = sequence.sequence_id;
  end if;
  return null;
end
$$;

create trigger frames_added after insert on frame
  referencing new table as added for each statement execute function count_bytes_of_frames();
create trigger frames_removed after delete on frame
  referencing old table as removed for each statement execute function count_bytes_of_frames();
create trigger frames_changed after update on frame
  referencing old table as removed new table as added for each statement execute function count_bytes_of_frames();
