import { concat, fromHex, toUtf8, uint16, uint32 } from "@colophon/formats";

type BlockValue = Uint8Array | string;

/** A manifest of a store that nobody has signed: its label, and what it states in soft bindings. */
export interface UnsignedManifest {
  readonly label: string;
  /** One assertion for each, its values in blocks of their own: byte strings, or texts. */
  readonly softBindings?: readonly { readonly alg?: string; readonly values: readonly BlockValue[] }[];
  /** The algorithm that its claim names for assertions without one. */
  readonly softAlg?: string;
}

/** A C2PA manifest store with these manifests, the last one active, and `padding` bytes that mean nothing. */
export function unsignedStore(manifests: readonly UnsignedManifest[], padding = 0): Uint8Array<ArrayBuffer> {
  const free = padding === 0 ? [] : [box("free", new Uint8Array(padding))];
  return superbox("c2pa", "c2pa", ...manifests.map((manifest) => manifestBox(manifest, ...free)));
}

function manifestBox(
  { label, softBindings = [], softAlg }: UnsignedManifest,
  ...others: Uint8Array[]
): Uint8Array {
  const assertions = softBindings.map(({ alg, values }, i) =>
    superbox(
      "cbor",
      i === 0 ? "c2pa.soft-binding" : `c2pa.soft-binding__${i}`,
      box("cbor", softBindingCbor(alg, values)),
    ),
  );
  const claim =
    softAlg === undefined ? [] : [superbox("c2cl", "c2pa.claim.v2", box("cbor", claimCbor(softAlg)))];
  return superbox("c2ma", label, superbox("c2as", "c2pa.assertions", ...assertions), ...claim, ...others);
}

/** CBOR of `{alg_soft}`, of all that a claim has. */
function claimCbor(softAlg: string): Uint8Array {
  return concat(fromHex("a1"), text("alg_soft"), text(softAlg));
}

/** CBOR of `{blocks: [{scope: {}, value}, ...], alg}`, the last where there is one. */
export function softBindingCbor(alg: string | undefined, values: readonly BlockValue[]): Uint8Array {
  const blocks = values.map((value) => {
    const stated = typeof value === "string" ? text(value) : string(2, value);
    return concat(fromHex("a2"), text("scope"), fromHex("a0"), text("value"), stated);
  });
  const count = concat(Uint8Array.of(0x99), uint16(blocks.length));
  const algorithm = alg === undefined ? [] : [text("alg"), text(alg)];
  return concat(Uint8Array.of(0xa1 + algorithm.length / 2), text("blocks"), count, ...blocks, ...algorithm);
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
