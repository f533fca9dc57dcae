import { concat, toUtf8, uint64, verifyEd25519 } from "@colophon/formats";
import { type Note, type NoteSignature, signaturesBy } from "./note.ts";
import { KEY_TYPE, type VerifierKey } from "./verifier-key.ts";

/** A private key, wherever it lies: signs bytes with Ed25519 (RFC 8032), 64 bytes. */
export type Sign = (message: Uint8Array) => Uint8Array;

const SIGNATURE_BYTES = 64;
const TIME_BYTES = 8;

/** Signs a note's text with a log's key. */
export function signNote(text: string, key: VerifierKey, sign: Sign): NoteSignature {
  return { name: key.name, id: key.id, signature: sign(toUtf8(text)) };
}

/**
 * Signs a checkpoint's text with a witness's key (C2SP tlog-cosignature, Ed25519): it was seen at a time, which is cut
 * to the second, and begins with all this witness has seen of its log.
 */
export function cosign(text: string, key: VerifierKey, at: Date, sign: Sign): NoteSignature {
  const seconds = Math.floor(at.getTime() / 1000);
  const signature = concat(uint64(seconds), sign(cosignedBytes(text, seconds)));
  return { name: key.name, id: key.id, signature };
}

/** A signature of a note that a known key has made; `at` is when a witness saw it, null for a log's. */
export interface VerifiedSignature {
  readonly key: VerifierKey;
  readonly at: Date | null;
}

/** A signature that claims a known key is not by it: the whole note is refused. */
export class ForgedSignature extends Error {
  override readonly name = "ForgedSignature";
}

/**
 * Which of `keys` have signed a note; signatures of other keys are passed over.
 * @throws ForgedSignature when one that claims to be by a known key is not
 */
export function verifySignatures(note: Note, keys: readonly VerifierKey[]): VerifiedSignature[] {
  return keys.flatMap((key) => {
    const [first] = signaturesBy(note, key).map((signature) => verified(note.text, key, signature));
    return first ?? [];
  });
}

function verified(text: string, key: VerifierKey, { signature }: NoteSignature): VerifiedSignature {
  const isCosignature = key.type === KEY_TYPE.cosignature;
  const timeBytes = isCosignature ? TIME_BYTES : 0;
  const time = isCosignature ? readTime(signature) : null;
  const message = time === null ? toUtf8(text) : cosignedBytes(text, time);
  const isWhole = signature.length === timeBytes + SIGNATURE_BYTES;
  if (!isWhole || !verifyEd25519(signature.subarray(timeBytes), message, key.publicKey)) {
    throw new ForgedSignature(`A signature in the name of ${key.name} is not by its key.`);
  }
  return { key, at: time === null ? null : new Date(time * 1000) };
}

/** The time of a cosignature, in seconds; NaN, which no signature covers, where it is cut short or beyond any clock. */
function readTime(signature: Uint8Array): number {
  if (signature.length < TIME_BYTES) return NaN;
  const time = Number(new DataView(signature.buffer, signature.byteOffset).getBigUint64(0));
  return time <= MAX_SECONDS ? time : NaN;
}

/** The last second that a Date can name. */
const MAX_SECONDS = 8.64e12;

function cosignedBytes(text: string, time: number): Uint8Array {
  return toUtf8(`cosignature/v1\ntime ${time}\n${text}`);
}
