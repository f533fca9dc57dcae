import type { CustodyEvent } from "./ledgers.ts";
import type { PixelSubject } from "../tables/custody-tables.ts";

/**
 * The checks behind a deletion, as the ledger names them: read back as zeros, owning process gone, looked for and not
 * found.
 */
const ZEROED = "zeroed";
const PROCESS_ENDED = "processEnded";
const ABSENT = "absent";

/** An image in custody. */
export interface PixelCustody {
  readonly subject: PixelSubject;
  /** SHA-256 of the posted bytes. */
  readonly imageHash: Buffer;
  readonly byteLength: number;
  readonly slotId?: string;
  /** The frame whose image it is. */
  readonly frame?: { readonly sequenceId: string; readonly frameId: number };
}

/** A packet in custody. */
export type PacketCustody = Pick<
  CustodyEvent,
  "imageHash" | "sequenceId" | "frameId" | "slotId" | "byteLength"
>;

/** A query image on disk. */
export interface FileCustody {
  readonly accountId: string;
  readonly imageHash: Buffer;
  readonly slotId: string;
  readonly byteLength: number;
}

/** Pixels came. */
export function pixelsReceived(accountId: string, pixels: PixelCustody): CustodyEvent {
  return { ...pixelRow(accountId, pixels), kind: "received" };
}

/** Pixels were overwritten. @param erased whether they were then read back as zeros */
export function pixelsErased(accountId: string, pixels: PixelCustody, erased: boolean): CustodyEvent {
  return { ...pixelRow(accountId, pixels), ...deletion(erased, ZEROED) };
}

/** The process that had the pixels is gone, and its memory with it. */
export function pixelsLost(accountId: string, pixels: PixelCustody): CustodyEvent {
  return { ...pixelRow(accountId, pixels), ...deletion(true, PROCESS_ENDED) };
}

/** A packet was made of an image. */
export function packetDerived(accountId: string, packet: PacketCustody): CustodyEvent {
  return { accountId, kind: "derived", subject: "packet", ...packet };
}

/** A packet was removed. @param gone whether it was then looked for and not found */
export function packetDeleted(accountId: string, packet: PacketCustody, gone: boolean): CustodyEvent {
  return { accountId, subject: "packet", ...packet, ...deletion(gone, ABSENT) };
}

/** The file of a query image was deleted. @param gone whether it was then looked for and not found */
export function fileDeleted(file: FileCustody, gone: boolean): CustodyEvent {
  const { accountId, imageHash, slotId, byteLength } = file;
  return { accountId, subject: "queryImage", imageHash, slotId, byteLength, ...deletion(gone, ABSENT) };
}

function deletion(verified: boolean, check: string): Pick<CustodyEvent, "kind" | "checkName"> {
  return verified ? { kind: "deleted", checkName: check } : { kind: "deleteUnverified", checkName: null };
}

function pixelRow(accountId: string, { frame, ...pixels }: PixelCustody): Omit<CustodyEvent, "kind"> {
  return { accountId, ...pixels, ...frame };
}
