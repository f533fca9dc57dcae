import { CborMap, CborTagged, type CborValue, readCbor } from "../bytes/cbor.ts";
import { toUtf8 } from "../bytes/encoding.ts";
import { type JumbfBox, readJumbf } from "./jumbf-tree.ts";

/**
 * What a C2PA manifest store (C2PA specification 2.4, chapter 11) says of where it can be found again. Nothing of it is
 * verified.
 */
export interface C2paStore {
  /** The label of the active manifest, the last of the store. */
  readonly activeLabel: string;
  /** What the active manifest's soft-binding assertions state, in their order. */
  readonly softBindings: readonly SoftBinding[];
}

/** One block of a `c2pa.soft-binding` assertion. */
export interface SoftBinding {
  /** The algorithm's name. */
  readonly alg: string;
  /** The value in the algorithm's own format; of a text its UTF-8. */
  readonly value: Uint8Array;
}

/** Last part of the content types of C2PA superboxes; before it stand four characters. */
const C2PA_SUFFIX = "00110010800000aa00389b71";
const CONTENT_TYPE = {
  store: `63327061${C2PA_SUFFIX}`,
  assertions: `63326173${C2PA_SUFFIX}`,
  claim: `6332636c${C2PA_SUFFIX}`,
} as const;
/** `c2ma`, `c2um` (update), `c2md` (of earlier versions). */
const MANIFESTS: readonly string[] = ["63326d61", "6332756d", "63326d64"].map((type) => type + C2PA_SUFFIX);
/** `c2cm`: one of the others within, by Brotli. */
const COMPRESSED = `6332636d${C2PA_SUFFIX}`;
const SOFT_BINDING = /^c2pa\.soft-binding(__[1-9]\d{0,3})?$/;

/** CBOR items that are read of one store, all its assertions together: 256 bindings have some 2,000. */
const MOST_ITEMS = 4_096;
/** Bounds of what is answered of one store: characters, bytes, blocks. */
const MOST_TEXT = 512;
const MOST_VALUE = 16_384;
const MOST_BINDINGS = 256;

/** Whether `bytes` open with the superbox of a C2PA manifest store; reads its headers only. */
export function opensWithC2paStore(bytes: Uint8Array): boolean {
  const [root] = readJumbf(bytes, { boxes: 1, depth: 1 }).boxes;
  return root?.description?.contentType === CONTENT_TYPE.store;
}

/** What Brotli (RFC 7932) has compressed; null when that cannot be read, or is more than its reader takes on. */
export type Inflate = (compressed: Uint8Array) => Uint8Array | null;

/**
 * Reads a C2PA manifest store. Null for bytes that are not one such store to their last byte, and for one beyond the
 * bounds: 4,096 boxes, 32 levels, 4,096 CBOR items, 512 characters of a label or an algorithm's name, 256 soft bindings
 * of 16,384 bytes each; and for one whose active manifest is compressed and does not hold one manifest of the same
 * label.
 */
export function readC2paStore(bytes: Uint8Array, inflate: Inflate): C2paStore | null {
  const store = onlyBox(bytes);
  if (store?.description?.contentType !== CONTENT_TYPE.store) return null;
  const last = store.children.findLast((box) => isManifest(box) || isCompressed(box));
  const active = last !== undefined && isCompressed(last) ? inflated(last, inflate) : last;
  const activeLabel = active?.description?.label ?? "";
  if (active == null || !isName(activeLabel)) return null;
  try {
    const softBindings = softBindingsOf(active);
    return softBindings.length > MOST_BINDINGS ? null : { activeLabel, softBindings };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The one box that bytes are to their last byte. */
function onlyBox(bytes: Uint8Array): JumbfBox | null {
  const { boxes, complete } = readJumbf(bytes);
  const [box, ...others] = boxes;
  return complete && others.length === 0 && box !== undefined ? box : null;
}

function isCompressed({ description }: JumbfBox): boolean {
  return description?.contentType === COMPRESSED;
}

/** The manifest in a compressed one; null where there is none of the same label. */
function inflated({ description, children }: JumbfBox, inflate: Inflate): JumbfBox | null {
  const [content, ...others] = children;
  if (content?.type !== "brob" || others.length > 0) return null;
  const bytes = inflate(content.content);
  const manifest = bytes && onlyBox(bytes);
  const isSame = manifest?.description?.label === description?.label;
  return manifest !== null && isManifest(manifest) && isSame ? manifest : null;
}

function isManifest({ description }: JumbfBox): boolean {
  return description !== null && MANIFESTS.includes(description.contentType);
}

/** @throws SyntaxError */
function softBindingsOf(manifest: JumbfBox): SoftBinding[] {
  const room = { items: MOST_ITEMS };
  const valuesIn = (superboxes: readonly JumbfBox[]): CborValue[] =>
    superboxes
      .flatMap(({ children }) => children.filter(({ type }) => type === "cbor"))
      .map(({ content }) => readCbor(content, room));
  const assertions = childrenOf(manifest, CONTENT_TYPE.assertions)
    .flatMap(({ children }) => children)
    .filter(({ description }) => SOFT_BINDING.test(description?.label ?? ""));
  const stated = valuesIn(assertions);
  // The claim has a reference to every assertion: it is read where it is needed.
  const needsClaim = stated.some((assertion) => member(assertion, "alg") === undefined);
  const [claim] = needsClaim ? valuesIn(childrenOf(manifest, CONTENT_TYPE.claim)) : [];
  return stated.flatMap((assertion) => blocksOf(assertion, member(claim, "alg_soft")));
}

function childrenOf({ children }: JumbfBox, contentType: string): readonly JumbfBox[] {
  return children.filter(({ description }) => description?.contentType === contentType);
}

/** @param claimed the algorithm of assertions that name none */
function blocksOf(assertion: CborValue, claimed: CborValue): SoftBinding[] {
  const own = member(assertion, "alg");
  const alg = own === undefined ? claimed : own;
  const blocks = member(assertion, "blocks");
  if (typeof alg !== "string" || !isName(alg) || !Array.isArray(blocks)) {
    throw new SyntaxError("not a soft-binding assertion");
  }
  return blocks.map((block: CborValue) => {
    const stated = member(block, "value");
    // A byte string by the specification; tools that make CBOR of JSON write a text.
    const value = typeof stated === "string" ? toUtf8(stated) : stated;
    if (!(value instanceof Uint8Array) || value.length > MOST_VALUE) {
      throw new SyntaxError("a soft binding without its value");
    }
    return { alg, value };
  });
}

function member(value: CborValue, name: string): CborValue {
  const map = value instanceof CborTagged ? value.value : value;
  return map instanceof CborMap ? map.entries.find(([key]) => key === name)?.[1] : undefined;
}

/** Whether a text can name something: neither empty nor long, and no control characters. */
function isName(text: string): boolean {
  return text !== "" && text.length <= MOST_TEXT && !/\p{Cc}/u.test(text);
}
