import type { RecordVerification } from "@colophon/formats";
import { type Answer, answer, text } from "./answers.ts";

/** One record, and the checks that must not pass: failed ones in `failed`, absent ones in `absent`. */
export interface RecordVector {
  readonly name: string;
  readonly record: string;
  readonly verdict: "verified" | "imageOnly" | "failed";
  readonly failed: readonly string[];
  readonly absent: readonly string[];
}

/** A record that verifies. */
export function sound(name: string, of: Answer, absent: readonly string[] = []): RecordVector {
  return { name, record: text(of), verdict: "verified", failed: [], absent };
}

/** A record of which the image alone is verified. */
export function imageOnly(name: string, of: Answer, absent: readonly string[]): RecordVector {
  return { ...sound(name, of, absent), verdict: "imageOnly" };
}

/** A record that does not verify. */
export function failing(
  name: string,
  of: Answer,
  failed: readonly string[],
  absent: readonly string[] = [],
): RecordVector {
  return { name, record: text(of), verdict: "failed", failed, absent };
}

/** A record whose verification says something else than was signed. */
export function verificationWith(changes: Partial<RecordVerification>, of: Answer = answer()): Answer {
  return { ...of, verification: { ...of.verification, ...changes } };
}

/** A record whose manifests were taken away on the way, with what shows that there were any. */
export function withoutManifests(of: Answer): Answer {
  return { ...verificationWith({ collectionSignature: null }, of), manifests: [] };
}

/**
 * A record made to look as if from before manifests were signed, with a manifest changed; its image signature cannot
 * tell.
 */
export function withUnsignedManifests(of: Answer): Answer {
  const { manifests, ...rest } = verificationWith({ canonicalVersion: 1, collectionSignature: null }, of);
  const changed = manifests.map((one) => ({
    ...one,
    payload: one.payload.replace("Ada", "Bob"),
    hash: null,
    signature: null,
  }));
  return { ...rest, manifests: changed };
}

/** The checks that are absent where nothing signs either of two manifests. */
export const UNSIGNED_MANIFESTS: readonly string[] = [
  "manifestHash 0",
  "manifestSignature 0",
  "manifestHash 1",
  "manifestSignature 1",
  "collectionSignature",
];
