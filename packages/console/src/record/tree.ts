import {
  CborMap,
  type CborRoom,
  CborTagged,
  type CborValue,
  countJsonValues,
  fromUtf8,
  readCbor,
  toHex,
} from "@colophon/formats";

/** A value of JSON or CBOR as a reader is shown it. */
export type Tree =
  | { readonly kind: "leaf"; readonly type: "text" | "number" | "word" | "bytes"; readonly text: string }
  | { readonly kind: "branch"; readonly list: boolean; readonly members: readonly TreeMember[] };

/** A named or numbered part of a value. */
export interface TreeMember {
  readonly name: string;
  readonly value: Tree;
}

const SHOWN_BYTES = 48;
/**
 * Values of one manifest that become trees: a million would keep the page from answering for seconds, and it shows some
 * hundreds.
 */
const MOST_VALUES = 20_000;

/** A number as a JSON text writes it, which a number of the language may not be able to say. */
class WrittenNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** How many values of a manifest may still become trees. */
export function newRoom(): CborRoom {
  return { items: MOST_VALUES };
}

/** The tree of a JSON text. @throws SyntaxError when it is not JSON, or has more values than there is room for */
export function treeOfJson(bytes: Uint8Array, room: CborRoom): Tree {
  const values = countJsonValues(bytes);
  if (values === null || values > room.items) throw new SyntaxError("not a JSON text that can be shown");
  room.items -= values;
  return treeOf(JSON.parse(fromUtf8(bytes), asWritten));
}

/** @param context where the browser tells it, what the text has there */
function asWritten(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === "number" ? new WrittenNumber(context?.source ?? String(value)) : value;
}

/** How many values a tree of JSON shows, itself among them. */
export function valuesIn(tree: Tree): number {
  return tree.kind === "leaf" ? 1 : tree.members.reduce((sum, { value }) => sum + valuesIn(value), 1);
}

function treeOf(value: unknown): Tree {
  if (value instanceof WrittenNumber) return { kind: "leaf", type: "number", text: value.text };
  if (Array.isArray(value)) return list(value.map(treeOf));
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([name, one]) => ({ name, value: treeOf(one) }));
    return { kind: "branch", list: false, members };
  }
  return leaf(value);
}

/** The tree of a CBOR item. @throws SyntaxError when it is none, or has more items than there is room for */
export function treeOfCbor(bytes: Uint8Array, room: CborRoom): Tree {
  return treeOfItem(readCbor(bytes, room));
}

function treeOfItem(value: CborValue): Tree {
  if (value instanceof Uint8Array) return { kind: "leaf", type: "bytes", text: bytesInWords(value) };
  if (value instanceof CborTagged) {
    return {
      kind: "branch",
      list: false,
      members: [{ name: `tag ${value.tag}`, value: treeOfItem(value.value) }],
    };
  }
  if (value instanceof CborMap) {
    const members = value.entries.map(([key, one]) => ({ name: nameOf(key), value: treeOfItem(one) }));
    return { kind: "branch", list: false, members };
  }
  if (typeof value === "object" && value !== null) return list(value.map((one) => treeOfItem(one)));
  return leaf(value);
}

/** Bytes in hex, the first of them when they are many. */
export function bytesInWords(bytes: Uint8Array): string {
  if (bytes.length === 0) return "no bytes";
  const shown = toHex(bytes.subarray(0, SHOWN_BYTES));
  return bytes.length <= SHOWN_BYTES ? shown : `${shown}… (${bytes.length} bytes)`;
}

function list(values: readonly Tree[]): Tree {
  return {
    kind: "branch",
    list: true,
    members: values.map((value, at) => ({ name: String(at + 1), value })),
  };
}

function leaf(value: unknown): Tree {
  if (typeof value === "string") return { kind: "leaf", type: "text", text: value };
  const type = typeof value === "number" || typeof value === "bigint" ? "number" : "word";
  return { kind: "leaf", type, text: String(value) };
}

function nameOf(key: CborValue): string {
  const tree = treeOfItem(key);
  return tree.kind === "leaf" ? tree.text : "a compound key";
}
