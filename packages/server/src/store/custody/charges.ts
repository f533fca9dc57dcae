import type { Extraction } from "../originals/extraction.ts";
import type { UsageEvent } from "./ledgers.ts";

/** One registration, charged as it is published; in a slot's commit with the slot. */
export function registrationCharge(
  accountId: string,
  registrationId: string,
  { imageHash, originalImageHash }: Pick<Extraction, "imageHash" | "originalImageHash">,
  slotId: string | null = null,
): UsageEvent {
  return { accountId, kind: "registration", units: 1, imageHash, originalImageHash, registrationId, slotId };
}

/** The look-up of a pre-check that found something against an image. */
export function preCheckCharge(
  accountId: string,
  imageHash: Buffer,
  originalImageHash: Buffer,
  slotId: string | null = null,
): UsageEvent {
  return { accountId, kind: "preCheck", units: 1, imageHash, originalImageHash, slotId };
}

/** One look-up. @param originalImageHash of the best match; null without one */
export function lookupCharge(
  accountId: string,
  imageHash: Buffer,
  originalImageHash: Buffer | null,
  slotId: string | null = null,
): UsageEvent {
  return { accountId, kind: "lookup", units: 1, imageHash, originalImageHash, slotId };
}

/** One record that was read, or the trace of one. */
export function recordCharge(accountId: string, originalImageHash: Buffer): UsageEvent {
  return { accountId, kind: "record", units: 1, originalImageHash };
}
