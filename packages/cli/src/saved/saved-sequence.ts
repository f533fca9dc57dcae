import type { UnfinishedSequence } from "@colophon/client";
import type { Profile } from "../settings/profile.ts";
import { type RunIdentity, UnfinishedRun } from "./unfinished-run.ts";

/** A sequence that is not committed, and where it came from. */
export interface SavedSequence {
  readonly baseUrl: string;
  /** The operands of the command that began it. */
  readonly operands: readonly string[];
  readonly sequence: UnfinishedSequence;
}

const FOLDER = "sequences";

/** The sequence that an earlier run of a command has left, if any. */
export function unfinishedSequence(identity: RunIdentity): Promise<UnfinishedRun<SavedSequence>> {
  return UnfinishedRun.of(FOLDER, identity, savedSequence);
}

/** Every sequence that was begun here at a service and is not finished. */
export function unfinishedSequences({ baseUrl }: Profile): UnfinishedRun<SavedSequence>[] {
  return UnfinishedRun.all(FOLDER, savedSequence).filter(({ saved }) => saved?.baseUrl === baseUrl);
}

function savedSequence(json: unknown): SavedSequence | undefined {
  const { baseUrl, operands, sequence } = fieldsOf(json);
  const { sequenceId, ticket, leftOut } = fieldsOf(sequence);
  if (typeof baseUrl !== "string" || !Array.isArray(operands) || !Array.isArray(leftOut)) return undefined;
  if (typeof sequenceId !== "string" || typeof ticket !== "string") return undefined;
  return {
    baseUrl,
    operands: operands.map(String),
    sequence: { sequenceId, ticket, leftOut: leftOut.map(Number) },
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
