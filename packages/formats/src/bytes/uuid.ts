import { fromHex, toHex } from "./encoding.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text has the form of a UUID (RFC 9562), either case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The 16 bytes of a UUID text, either case; throws a SyntaxError on any other text. */
export function uuidToBytes(text: string): Uint8Array {
  if (!isUuid(text)) throw new SyntaxError("not a UUID");
  return fromHex(text.replaceAll("-", ""));
}

/** The lowercase text of a UUID's 16 bytes. */
export function uuidFromBytes(bytes: Uint8Array): string {
  return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
