/** What can be checked of a record. */
export type CheckName =
  /** The record is published at all. */
  | "published"
  /** It names algorithms and a preimage version this verifier knows. */
  | "algorithms"
  /** Its content hash is the hash it is published under. */
  | "contentHash"
  /** Its content hash is that of the original file. */
  | "originalFile"
  | "imageSignature"
  | "manifestHash"
  | "manifestSignature"
  | "collectionSignature"
  /** The leaf certificate is the one its thumbprint names. */
  | "leafThumbprint"
  /** The leaf certificate holds the record's public key. */
  | "leafKey"
  /** The leaf certificate names this record: its image, its manifests and its time. */
  | "recordDigest"
  /** The leaf certificate is valid for the minutes around the signing. */
  | "leafPeriod"
  /** A certificate can be read, and what it may be used for is what it is used for. */
  | "certificateUse"
  | "certificateSignature"
  | "certificateValidity"
  /** The trust context is the organization of every certificate. */
  | "trustContext"
  /** The chain ends in the root the reader trusts. */
  | "trustRoot"
  /** The signing time does not lie in the reader's future. */
  | "signingTime";

/**
 * How a check came out: `absent` is an attestation the record does not make, `notChecked` one that lacked its input.
 */
export type CheckResult = "passed" | "failed" | "absent" | "notChecked";

/** One named check of a record and what came of it, in words. */
export interface RecordCheck {
  readonly name: CheckName;
  /** Which manifest, or which certificate (0 the leaf, then the chain); null where there is but one. */
  readonly index: number | null;
  readonly result: CheckResult;
  readonly sentence: string;
}

/** A check of something there is but one of. */
export function check(name: CheckName, result: CheckResult, sentence: string): RecordCheck {
  return { name, index: null, result, sentence };
}

/** A check that passed with one sentence or failed with another. */
export function checkThat(name: CheckName, passed: boolean, yes: string, no: string): RecordCheck {
  return check(name, passed ? "passed" : "failed", passed ? yes : no);
}

/** The same check, of the `index`th of its kind. */
export function at(index: number, found: RecordCheck): RecordCheck {
  return { ...found, index };
}

/** Whether `test` holds; input so malformed that it throws does not. */
export function holds(test: () => boolean): boolean {
  try {
    return test();
  } catch {
    return false;
  }
}
