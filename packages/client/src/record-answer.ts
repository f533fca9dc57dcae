import { parseRecord, type PublishedRecord, recordTexts } from "@colophon/formats";

/** A record as the service answered it; `verifyRecord` takes it as it is. */
export interface RecordAnswer extends PublishedRecord {
  /** Why this hash of a list was refused or has to be asked again; null otherwise. */
  readonly failureReason: string | null;
  /** The record's exact text. Keep it, not a reprint of it: manifests are signed as they were posted. */
  readonly text: string;
}

/** Reads one record. @throws SyntaxError on anything else */
export function recordAnswer(text: string): RecordAnswer {
  const { failureReason = null }: { failureReason?: string | null } = JSON.parse(text);
  return { ...parseRecord(text), failureReason, text };
}

/** Reads the answer of a list of records. @throws SyntaxError on anything else */
export function recordAnswers(text: string): RecordAnswer[] {
  return recordTexts(text).map((one) => recordAnswer(one));
}
