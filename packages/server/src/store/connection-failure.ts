import { errorCode } from "../error-code.ts";
import { messageOf } from "../error-message.ts";

/** What OpenSSL says of a certificate that leads to no CA it knows. */
const UNKNOWN_CA: ReadonlySet<string | undefined> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** Why there is no connecting to a PostgreSQL, without a full stop. */
export function connectionFailure(error: unknown): string {
  // Node would have its own options changed.
  if (UNKNOWN_CA.has(errorCode(error))) {
    return "its certificate leads to no CA that is known here: sslrootcert names the file of one";
  }
  return messageOf(error);
}
