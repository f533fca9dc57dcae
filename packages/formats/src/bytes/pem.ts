import { fromBase64, toBase64 } from "./encoding.ts";

const BLOCK = /^-----BEGIN CERTIFICATE-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END CERTIFICATE-----\s*$/;
const LINE = /.{1,64}/g;

/** A certificate's DER as PEM (RFC 7468), ending in a newline. */
export function toPem(der: Uint8Array): string {
  const lines = toBase64(der).match(LINE) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

/** The DER of a text that holds exactly one PEM certificate; throws a SyntaxError otherwise. */
export function fromPem(pem: string): Uint8Array {
  const base64 = BLOCK.exec(pem)?.[1];
  if (base64 === undefined) throw new SyntaxError("not one PEM certificate");
  return fromBase64(base64.replaceAll(/[\r\n]/g, ""));
}
