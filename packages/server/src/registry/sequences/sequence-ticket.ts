import { createHmac, timingSafeEqual } from "node:crypto";
import type { SequenceRef } from "../../store/sequences/sequences.ts";

/** The ticket of a sequence: HMAC-SHA-256 over account id and sequence id, base64url. It knows no expiry. */
export function sequenceTicket(key: Buffer, { accountId, sequenceId }: SequenceRef): string {
  return createHmac("sha256", key).update(`${accountId} ${sequenceId}`).digest("base64url");
}

/** Whether a text is the ticket of a sequence; takes the same time wherever the two differ. */
export function isSequenceTicket(key: Buffer, ref: SequenceRef, text: string): boolean {
  const expected = Buffer.from(sequenceTicket(key, ref));
  const presented = Buffer.from(text);
  return presented.length === expected.length && timingSafeEqual(presented, expected);
}
