/** One ISO box within a byte string: its four-character type and the bounds of its content. */
export interface IsoBox {
  readonly type: string;
  readonly content: number;
  readonly end: number;
}

/** Bytes of a box header with a 32-bit size. */
export const BOX_HEADER = 8;
const LONG_HEADER = 16;

/** The box at `at` within a container that ends at `limit`, or null when no whole box starts there. */
export function readIsoBox(bytes: Uint8Array, at: number, limit: number): IsoBox | null {
  if (limit - at < BOX_HEADER) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = String.fromCharCode(...bytes.subarray(at + 4, at + BOX_HEADER));
  const size = view.getUint32(at);
  if (size === 0) return { type, content: at + BOX_HEADER, end: limit };
  if (size !== 1) return bounded(type, at, BOX_HEADER, size, limit);
  if (limit - at < LONG_HEADER) return null;
  return bounded(type, at, LONG_HEADER, Number(view.getBigUint64(at + BOX_HEADER)), limit);
}

function bounded(type: string, at: number, header: number, size: number, limit: number): IsoBox | null {
  if (size < header || size > limit - at) return null;
  return { type, content: at + header, end: at + size };
}
