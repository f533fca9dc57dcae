import { parseRecord, type PublishedRecord } from "@colophon/formats";
import { RECEIPT_ALGORITHM } from "@colophon/log";
import { Failure } from "../failure.ts";
import { shown } from "../shown.ts";

const OPENING_BRACE = 0x7b;
const WHITESPACE = [0x20, 0x09, 0x0a, 0x0d];
/** What editors put before a text in UTF-8, where it means nothing; and before one in UTF-16. */
const BYTE_ORDER_MARK = "\xef\xbb\xbf";
const UTF_16_MARKS = ["\xff\xfe", "\xfe\xff"];

/** What a record is verified by, as its text begins, and the option that takes it. */
const AIDS: readonly (readonly [string, string, string])[] = [
  ["-----BEGIN CERTIFICATE-----", "a certificate", "--trust-root"],
  [`${RECEIPT_ALGORITHM}\n`, "a proof of the log", "--log-proof"],
];

/**
 * The record that a file holds; null for a file that is no text of JSON, which may be a picture.
 * @param path names the file in messages
 * @throws Failure (usage) for JSON that is no record, for UTF-16, and for what a record is verified by
 */
export function recordIn(bytes: Buffer, path: string): PublishedRecord | null {
  if (UTF_16_MARKS.some((mark) => startsWith(bytes, mark))) {
    throw Failure.usage(
      `${shown(path)} is a text in UTF-16, and a record is read in UTF-8: save it as UTF-8.`,
    );
  }
  const text = startsWith(bytes, BYTE_ORDER_MARK) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
  if (isJson(text)) return parsed(text, path);
  const [, aid, option] = AIDS.find(([start]) => startsWith(text, start)) ?? [];
  if (aid === undefined) return null;
  throw Failure.usage(
    `${shown(path)} is ${aid}, which a record is verified by: give it with ${option}, after the record or the original.`,
  );
}

function parsed(text: Uint8Array, path: string): PublishedRecord {
  try {
    return parseRecord(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw Failure.usage(`${shown(path)} is not a record: ${error.message}.`);
  }
}

function isJson(bytes: Uint8Array): boolean {
  return bytes.find((byte) => !WHITESPACE.includes(byte)) === OPENING_BRACE;
}

function startsWith(bytes: Buffer, mark: string): boolean {
  return bytes.toString("latin1", 0, mark.length) === mark;
}
