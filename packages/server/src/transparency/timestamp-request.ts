import { createHash, randomBytes } from "node:crypto";
import { DER, fromHex, readDer, writeDer } from "@colophon/formats";

/** AlgorithmIdentifier of SHA-256 (2.16.840.1.101.3.4.2.1, parameters null). */
const SHA_256 = fromHex("300d06096086480165030402010500");
const VERSION_1 = Uint8Array.of(1);
const TRUE = Uint8Array.of(0xff);
const NONCE_BYTES = 8;
/** PKIStatus `granted` and `grantedWithMods` (RFC 3161, 2.4.2). */
const GRANTED = [0, 1];

/** The DER of a TimeStampReq (RFC 3161, 2.4.1) over the SHA-256 of some bytes, that asks for the authority's certificate too. */
export function timestampRequest(bytes: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  // A positive number of eight bytes, in the one form DER has for it.
  nonce[0] = (nonce[0]! & 0x7f) | 0x40;
  const imprint = writeDer(DER.sequence, SHA_256, writeDer(DER.octetString, digestOf(bytes)));
  return writeDer(
    DER.sequence,
    writeDer(DER.integer, VERSION_1),
    imprint,
    writeDer(DER.integer, nonce),
    writeDer(DER.boolean, TRUE),
  );
}

/**
 * Whether an answer grants a token about these bytes. What it is worth, who reads it judges: `openssl ts -verify`.
 */
export function grantsTimestamp(answer: Buffer, bytes: Uint8Array): boolean {
  try {
    const [response] = readDer(answer);
    const [info, token] = readDer(response!.content);
    const [status] = readDer(info!.content);
    return (
      GRANTED.includes(status!.content[0] ?? NaN) &&
      status!.content.length === 1 &&
      token !== undefined &&
      Buffer.from(token.whole).includes(digestOf(bytes))
    );
  } catch {
    return false;
  }
}

function digestOf(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}
