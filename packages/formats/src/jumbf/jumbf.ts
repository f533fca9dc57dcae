import { concat, fromHex, fromUtf8, toUtf8, uint32 } from "../bytes/encoding.ts";
import { BOX_HEADER, type IsoBox, readIsoBox } from "../bytes/iso-box.ts";

/** Content type of a JSON superbox (ISO 19566-5, Annex B): 6A736F6E-0011-0010-8000-00AA00389B71. */
const JSON_CONTENT_TYPE = fromHex("6a736f6e00110010800000aa00389b71");
/** Description box toggles: requestable (bit 0) and label present (bit 1). */
const TOGGLES = 0x03;

/**
 * Wraps a JSON text as one JUMBF superbox (ISO 19566-5): a description box with the JSON content type and the
 * label, then one `json` box that holds the bytes unchanged. `label` must hold no NUL.
 */
export function wrapJson(label: string, json: Uint8Array): Uint8Array {
  if (label.includes("\0")) throw new RangeError("a JUMBF label cannot hold a NUL");
  const description = concat(JSON_CONTENT_TYPE, Uint8Array.of(TOGGLES), toUtf8(label), Uint8Array.of(0));
  return box("jumb", box("jumd", description), box("json", json));
}

/**
 * Takes a superbox made by `wrapJson` apart; `json` is a view into `superbox`. Throws a SyntaxError on any other
 * bytes, a superbox of the same meaning but another layout included: one text has one wrapping.
 */
export function unwrapJson(superbox: Uint8Array): { label: string; json: Uint8Array } {
  const outer = expectBox(superbox, 0, superbox.length, "jumb", superbox.length);
  const description = expectBox(superbox, outer.content, outer.end, "jumd");
  const payload = expectBox(superbox, description.end, outer.end, "json", outer.end);
  const labelStart = description.content + JSON_CONTENT_TYPE.length + 1;
  const json = superbox.subarray(payload.content, payload.end);
  const label = fromUtf8(superbox.subarray(labelStart, Math.max(labelStart, description.end - 1)));
  const canonical = wrapJson(label, json.subarray(0, 0));
  const wrapping = superbox.subarray(BOX_HEADER, payload.content - BOX_HEADER);
  const expected = canonical.subarray(BOX_HEADER, canonical.length - BOX_HEADER);
  const regular = outer.content === BOX_HEADER && payload.content === description.end + BOX_HEADER;
  if (!regular || !equal(wrapping, expected)) throw new SyntaxError("not a JSON superbox of this service");
  return { label, json };
}

/**
 * Whether `bytes` open with a `jumb` superbox header whose first child is a `jumd` box. Reads the two headers (8
 * bytes each, 16 with a 64-bit size) and nothing beyond them; a box that claims to reach past what holds it is refused.
 */
export function opensWithSuperbox(bytes: Uint8Array): boolean {
  const outer = readIsoBox(bytes, 0, bytes.length);
  if (outer?.type !== "jumb") return false;
  return readIsoBox(bytes, outer.content, outer.end)?.type === "jumd";
}

function box(type: string, ...parts: Uint8Array[]): Uint8Array {
  const size = parts.reduce((sum, part) => sum + part.length, BOX_HEADER);
  return concat(uint32(size), toUtf8(type), ...parts);
}

function expectBox(bytes: Uint8Array, at: number, limit: number, type: string, end?: number): IsoBox {
  const found = readIsoBox(bytes, at, limit);
  if (found?.type !== type || (end !== undefined && found.end !== end)) {
    throw new SyntaxError(`expected a ${type} box`);
  }
  return found;
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
