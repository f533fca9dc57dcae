import { concat, fromHex, toUtf8, uint16, uint32 } from "@colophon/formats";

/** A manifest of a store that nobody has signed: its label, and what it states in soft bindings. */
export interface UnsignedManifest {
  readonly label: string;
  /** One assertion for each, its values in blocks of their own. */
  readonly softBindings?: readonly { readonly alg: string; readonly values: readonly Uint8Array[] }[];
}

/** A C2PA manifest store with these manifests, the last one active, and `padding` bytes that mean nothing. */
export function unsignedStore(manifests: readonly UnsignedManifest[], padding = 0): Uint8Array<ArrayBuffer> {
  const free = padding === 0 ? [] : [box("free", new Uint8Array(padding))];
  return superbox("c2pa", "c2pa", ...manifests.map((manifest) => manifestBox(manifest, ...free)));
}

function manifestBox({ label, softBindings = [] }: UnsignedManifest, ...others: Uint8Array[]): Uint8Array {
  const assertions = softBindings.map(({ alg, values }, i) =>
    superbox(
      "cbor",
      i === 0 ? "c2pa.soft-binding" : `c2pa.soft-binding__${i}`,
      box("cbor", softBindingCbor(alg, values)),
    ),
  );
  return superbox("c2ma", label, superbox("c2as", "c2pa.assertions", ...assertions), ...others);
}

/** CBOR of `{alg, blocks: [{scope: {}, value}, ...]}`. */
export function softBindingCbor(alg: string, values: readonly Uint8Array[]): Uint8Array {
  const blocks = values.map((value) =>
    concat(fromHex("a2"), text("scope"), fromHex("a0"), text("value"), string(2, value)),
  );
  const count = concat(Uint8Array.of(0x99), uint16(blocks.length));
  return concat(fromHex("a2"), text("alg"), text(alg), text("blocks"), count, ...blocks);
}

function text(value: string): Uint8Array {
  return string(3, toUtf8(value));
}

function string(major: number, bytes: Uint8Array): Uint8Array {
  return concat(Uint8Array.of((major << 5) | 25), uint16(bytes.length), bytes);
}

/** A superbox of a C2PA content type, named by its four characters. */
export function superbox(
  contentType: string,
  label: string,
  ...children: Uint8Array[]
): Uint8Array<ArrayBuffer> {
  const type = concat(toUtf8(contentType), fromHex("00110010800000aa00389b71"));
  return box("jumb", box("jumd", type, Uint8Array.of(3), toUtf8(`${label}\0`)), ...children);
}

/** A box of JUMBF. */
export function box(type: string, ...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const content = concat(...parts);
  return concat(uint32(8 + content.length), toUtf8(type), content);
}
