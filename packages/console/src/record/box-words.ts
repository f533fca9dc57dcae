import type { JumbfBox } from "@colophon/formats";

/** What C2PA and JUMBF keep in a superbox, by the first four bytes of its content type. */
const CONTENT_WORDS: ReadonlyMap<string, string> = new Map([
  ["c2pa", "C2PA manifest store"],
  ["c2ma", "Manifest"],
  ["c2um", "Update manifest"],
  ["c2as", "Assertion store"],
  ["c2cl", "Claim"],
  ["c2cs", "Claim signature"],
  ["c2vc", "Credential store"],
  ["c2db", "Data boxes"],
  ["json", "JSON"],
  ["cbor", "CBOR"],
  ["uuid", "UUID box"],
]);

const BOX_WORDS: ReadonlyMap<string, string> = new Map([
  ["json", "JSON"],
  ["cbor", "CBOR"],
  ["bfdb", "Embedded file's description"],
  ["bidb", "Embedded file"],
  ["uuid", "Private data"],
  ["c2sh", "Salt"],
  ["free", "Padding"],
]);

const FOUR_BYTES = 8;

/** What a box is, in a word or two. */
export function boxWords({ type, description }: JumbfBox): string {
  if (description === null) return BOX_WORDS.get(type) ?? `Box ${printable(type)}`;
  const four = description.contentType.slice(0, FOUR_BYTES).match(/../g) ?? [];
  const content = String.fromCharCode(...four.map((hex) => Number.parseInt(hex, 16)));
  return CONTENT_WORDS.get(content) ?? "Superbox";
}

function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "·");
}
