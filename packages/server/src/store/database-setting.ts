import { BadSetting } from "../config/environment.ts";
import { errorCode } from "../error-code.ts";
import type { Database } from "./database.ts";

/** What OpenSSL says of a certificate that leads to no CA it knows. */
const UNKNOWN_CA: ReadonlySet<string | undefined> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/**
 * Connects to the database that a setting names, so that what keeps a process out of it is told with the setting.
 * @throws BadSetting where there is no connecting
 */
export async function tryDatabase(database: Database): Promise<void> {
  try {
    const client = await database.pool.connect();
    client.release();
  } catch (error) {
    throw new BadSetting(
      "COLOPHON_DATABASE_URL",
      `a PostgreSQL that lets this process in: ${reasonOf(error)}`,
    );
  }
}

function reasonOf(error: unknown): string {
  // Node would have its own options changed.
  if (UNKNOWN_CA.has(errorCode(error))) {
    return "its certificate leads to no CA that is known here: sslrootcert names the file of one";
  }
  return error instanceof Error ? error.message : String(error);
}
