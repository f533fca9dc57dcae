import { createHash, randomBytes } from "node:crypto";
import { DER, fromHex, readDer, writeDer } from "@colophon/formats";

/** AlgorithmIdentifier of SHA-256 (2.16.840.1.101.3.4.2.1, parameters null). */
const SHA_256 = fromHex("300d06096086480165030402010500");
const VERSION_1 = Uint8Array.of(1);
const TRUE = Uint8Array.of(0xff);
const NONCE_BYTES = 8;
/** PKIStatus `granted` and `grantedWithMods` (RFC 3161, 2.4.2). */
const GRANTED = [0, 1];

/**
 * The DER of a TimeStampReq (RFC 3161, 2.4.1) over the SHA-256 of some bytes, that asks for the authority's certificate
 * too.
 */
export function timestampRequest(bytes: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  // A positive number of eight bytes, in the one form DER has for it.
  nonce[0] = (nonce[0]! & 0x7f) | 0x40;
  const imprint = writeDer(
    DER.sequence,
    SHA_256,
    writeDer(DER.octetString, createHash("sha256").update(bytes).digest()),
  );
  return writeDer(
    DER.sequence,
    writeDer(DER.integer, VERSION_1),
    imprint,
    writeDer(DER.integer, nonce),
    writeDer(DER.boolean, TRUE),
  );
}

/**
 * Whether an answer grants a token for this request: about its bytes, with its nonce (RFC 3161, 2.4.1). What it is
 * worth, who reads it judges: `openssl ts -verify`.
 */
export function grantsTimestamp(answer: Buffer, request: Uint8Array): boolean {
  try {
    const [asked] = readDer(request);
    const [, imprint, nonce] = readDer(asked!.content);
    const [, digest] = readDer(imprint!.content);
    const [response] = readDer(answer);
    const [info, token] = readDer(response!.content);
    const [status] = readDer(info!.content);
    return (
      GRANTED.includes(status!.content[0] ?? NaN) &&
      status!.content.length === 1 &&
      [digest, nonce].every((wanted) => Buffer.from(token!.whole).includes(Buffer.from(wanted!.whole)))
    );
  } catch {
    return false;
  }
}
