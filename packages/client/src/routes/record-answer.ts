import {
  fromUtf8,
  type Outcome,
  parseRecord,
  type PublishedManifest,
  type RecordVerification,
  recordTexts,
} from "@colophon/formats";

/**
 * A manifest of a record, with the value of one that is JSON. `payload` has its exact bytes, which are what is signed.
 */
export type AnsweredManifest = PublishedManifest &
  ({ readonly form: "json"; readonly json: object } | { readonly form: "jumbf" });

interface Answered {
  readonly originalImageHash: string;
  /** The record's exact text. Keep it, not a reprint of it: manifests are signed as they were posted. */
  readonly text: string;
}

/** There is a record, and this is it. */
export interface PublishedAnswer extends Answered {
  readonly outcome: "published";
  readonly manifests: readonly AnsweredManifest[];
  readonly verification: RecordVerification;
  readonly failureReason: null;
}

/** There is no record to read. */
export interface UnpublishedAnswer extends Answered {
  readonly outcome: Exclude<Outcome, "published">;
  readonly manifests: null;
  readonly verification: null;
  /** Why this hash of a list was refused or has to be asked again; null otherwise. */
  readonly failureReason: string | null;
}

/** A record as the service answered it; `outcome` tells which. `verifyRecord` takes it as it is. */
export type RecordAnswer = PublishedAnswer | UnpublishedAnswer;

/** Reads one record. @throws SyntaxError on anything else */
export function recordAnswer(text: string): RecordAnswer {
  const { failureReason = null }: { failureReason?: string | null } = JSON.parse(text);
  const { originalImageHash, outcome, manifests, verification } = parseRecord(text);
  if (outcome !== "published") {
    return { originalImageHash, outcome, manifests: null, verification: null, failureReason, text };
  }
  if (manifests === null || verification === null) throw new SyntaxError("record is published and not there");
  return {
    originalImageHash,
    outcome,
    manifests: manifests.map(answeredManifest),
    verification,
    failureReason: null,
    text,
  };
}

function answeredManifest(manifest: PublishedManifest): AnsweredManifest {
  const { form } = manifest;
  return form === "json"
    ? { ...manifest, form, json: JSON.parse(fromUtf8(manifest.payload)) }
    : { ...manifest, form };
}

/** Reads the answer of a list of records. @throws SyntaxError on anything else */
export function recordAnswers(text: string): RecordAnswer[] {
  return recordTexts(text).map((one) => recordAnswer(one));
}
