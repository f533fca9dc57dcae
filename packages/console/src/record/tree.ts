import { CborMap, CborTagged, type CborValue, toHex } from "@colophon/formats";

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

/** A number as a JSON text writes it, which a number of the language may not be able to say. */
class WrittenNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The tree of a JSON text. @throws SyntaxError when it is not JSON */
export function treeOfJson(text: string): Tree {
  return treeOf(JSON.parse(text, asWritten));
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

/** The tree of what `readCbor` gave. */
export function treeOfCbor(value: CborValue): Tree {
  if (value instanceof Uint8Array) return { kind: "leaf", type: "bytes", text: bytesInWords(value) };
  if (value instanceof CborTagged) {
    return {
      kind: "branch",
      list: false,
      members: [{ name: `tag ${value.tag}`, value: treeOfCbor(value.value) }],
    };
  }
  if (value instanceof CborMap) {
    const members = value.entries.map(([key, one]) => ({ name: nameOf(key), value: treeOfCbor(one) }));
    return { kind: "branch", list: false, members };
  }
  if (typeof value === "object" && value !== null) return list(value.map((one) => treeOfCbor(one)));
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
  const tree = treeOfCbor(key);
  return tree.kind === "leaf" ? tree.text : "a compound key";
}
