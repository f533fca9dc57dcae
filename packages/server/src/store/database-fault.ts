/** A failure of the database: it is away for the moment, or it refused a statement. */
export type DatabaseFault = "away" | "statement";

/** Codes of a server that is starting, stopping or crashed (SQLSTATE classes 08 and 57P), or of a lost socket. */
const AWAY = /^(08...|57P0[1-5]|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT)$/;

/** What kind of database failure an error is; null for any other error. */
export function databaseFault(error: unknown): DatabaseFault | null {
  if (!(error instanceof Error)) return null;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (
    AWAY.test(code) ||
    /^Connection terminated|^timeout exceeded when trying to connect/.test(error.message)
  ) {
    return "away";
  }
  return /^[0-9A-Z]{5}$/.test(code) ? "statement" : null;
}
