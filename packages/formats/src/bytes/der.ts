import { concat } from "./encoding.ts";

/** One DER element (X.690): its tag byte, its content, and the whole of it with its header. Views, never copies. */
export interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly whole: Uint8Array;
}

/** The tags this product's certificates use. */
export const DER = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

const MULTI_BYTE_TAG = 0x1f;
const MAX_LENGTH_BYTES = 4;

/**
 * The elements that fill `bytes`, one after the other. Throws a SyntaxError on whatever DER forbids: indefinite or
 * overlong lengths, an element past the end, bytes left over. Tags of several bytes are not read.
 */
export function readDer(bytes: Uint8Array): DerElement[] {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const element = readElement(bytes.subarray(at));
    elements.push(element);
    at += element.whole.length;
  }
  return elements;
}

/** Encodes one element of the given tag around its parts. */
export function writeDer(tag: number, ...parts: Uint8Array[]): Uint8Array {
  const content = concat(...parts);
  return concat(Uint8Array.of(tag, ...lengthBytes(content.length)), content);
}

function readElement(bytes: Uint8Array): DerElement {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined || (tag & MULTI_BYTE_TAG) === MULTI_BYTE_TAG) {
    throw new SyntaxError("not a DER element");
  }
  const more = first < 0x80 ? 0 : first & 0x7f;
  if (first === 0x80 || more > MAX_LENGTH_BYTES || bytes.length < 2 + more) {
    throw new SyntaxError("not a DER length");
  }
  const length = more === 0 ? first : bytes.subarray(2, 2 + more).reduce((sum, byte) => sum * 256 + byte, 0);
  const header = 2 + more;
  if (header !== 1 + lengthBytes(length).length || length > bytes.length - header) {
    throw new SyntaxError("not a DER length");
  }
  const whole = bytes.subarray(0, header + length);
  return { tag, content: whole.subarray(header), whole };
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}
