/**
 * What an error says; of a thrown value that is no error, its text. It may quote a value, which no line about a request
 * may.
 */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The first line of what an error says. */
export function firstLineOf(error: unknown): string {
  return messageOf(error).split("\n", 1)[0] ?? "";
}
