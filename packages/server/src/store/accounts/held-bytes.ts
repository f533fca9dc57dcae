import { sql } from "kysely";
import type { Read } from "../database.ts";

/**
 * Bytes on disk that an account may let go of without having paid for them: the manifests and the query images of its
 * open slots, and the manifests and frames of its unfinished sequences.
 */
export async function heldBytes(read: Read, accountId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (
      select coalesce(sum(manifests_length + case kind when 'lookup' then byte_length else 0 end), 0)
      from slot join slot_entry using (slot_id)
      where slot.account_id = ${accountId} and status = 'open' and state = 'held'
    )::float8 + (
      select coalesce(sum(length(stored)), 0)
      from sequence join sequence_manifest using (sequence_id)
      where sequence.account_id = ${accountId} and state in ('open', 'sealed')
    )::float8 + (
      select coalesce(sum(frame_bytes), 0)
      from sequence where account_id = ${accountId} and state in ('open', 'sealed')
    )::float8 as bytes`.execute(read);
  return rows[0]?.bytes ?? 0;
}
