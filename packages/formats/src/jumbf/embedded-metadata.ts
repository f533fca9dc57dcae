import { opensWithC2paStore } from "./c2pa-store.ts";
import { joined } from "../bytes/encoding.ts";
import { BOX_HEADER } from "../bytes/iso-box.ts";

/** What an image file carries about the image, as it stands there; null where it carries none. */
export interface EmbeddedMetadata {
  /** The C2PA manifest store. */
  readonly c2paStore: Uint8Array | null;
  /** The XMP packet (ISO 16684-1). */
  readonly xmp: Uint8Array | null;
  /** The IPTC-IIM data sets. */
  readonly iim: Uint8Array | null;
}

/** A piece of a file: a JPEG segment, a PNG chunk, a RIFF chunk. */
interface Piece {
  readonly type: string;
  readonly content: Uint8Array;
}

/** Pieces of a file that are looked at: a PNG of 500 MB has no more. */
const MOST_PIECES = 65_536;
const NOTHING: EmbeddedMetadata = { c2paStore: null, xmp: null, iim: null };
const PNG_SIGNATURE = "\x89PNG\r\n\x1a\n";
const XMP_IN_JPEG = "http://ns.adobe.com/xap/1.0/\0";
const XMP_IN_PNG = "XML:com.adobe.xmp\0";
const PHOTOSHOP = "Photoshop 3.0\0";
const PHOTOSHOP_BLOCK = "8BIM";
const IIM_RESOURCE = 0x0404;
/**
 * Before each piece of a JUMBF box in a segment (ISO 19566-5, Annex D): `JP`, the box's instance number, the piece's
 * number.
 */
const JUMBF_HEADER = 8;

/**
 * What a JPEG, PNG or WebP file carries, all of it views or joined copies of its bytes. Never throws: of a file cut
 * short it answers what stands before the cut, and of any other file nothing.
 */
export function embeddedMetadata(file: Uint8Array): EmbeddedMetadata {
  if (startsWith(file, "\xff\xd8\xff")) return fromJpeg(first(jpegSegments(file)));
  if (startsWith(file, PNG_SIGNATURE)) return fromPng(first(pngChunks(file)));
  if (startsWith(file, "RIFF") && startsWith(file.subarray(8), "WEBP")) {
    return fromWebp(first(riffChunks(file)));
  }
  return NOTHING;
}

function fromJpeg(segments: readonly Piece[]): EmbeddedMetadata {
  const xmp = segments.find(({ type, content }) => type === "e1" && startsWith(content, XMP_IN_JPEG));
  const photoshop = segments.filter(({ type, content }) => type === "ed" && startsWith(content, PHOTOSHOP));
  return {
    c2paStore: jumbfBoxes(segments).find(opensWithC2paStore) ?? null,
    xmp: xmp?.content.subarray(XMP_IN_JPEG.length) ?? null,
    iim: iimIn(joined(photoshop.map(({ content }) => content.subarray(PHOTOSHOP.length)))),
  };
}

function fromPng(chunks: readonly Piece[]): EmbeddedMetadata {
  const xmp = chunks.find(({ type, content }) => type === "iTXt" && startsWith(content, XMP_IN_PNG));
  return { c2paStore: storeIn(chunks, "caBX"), xmp: xmp ? internationalText(xmp.content) : null, iim: null };
}

function fromWebp(chunks: readonly Piece[]): EmbeddedMetadata {
  const xmp = chunks.find(({ type }) => type === "XMP ")?.content ?? null;
  return { c2paStore: storeIn(chunks, "C2PA"), xmp, iim: null };
}

function storeIn(chunks: readonly Piece[], type: string): Uint8Array | null {
  const store = chunks.find((chunk) => chunk.type === type)?.content;
  return store !== undefined && opensWithC2paStore(store) ? store : null;
}

function first(pieces: Iterable<Piece>): readonly Piece[] {
  const found: Piece[] = [];
  for (const piece of pieces) {
    if (found.push(piece) === MOST_PIECES) break;
  }
  return found;
}

/** The segments before the picture's scan, by the second byte of their marker in hex. */
function* jpegSegments(file: Uint8Array): Iterable<Piece> {
  const view = viewOf(file);
  let at = 2;
  while (at + 4 <= file.length && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const end = at + 2 + view.getUint16(at + 2);
    if (marker === 0xda || end < at + 4 || end > file.length) return;
    yield { type: marker.toString(16), content: file.subarray(at + 4, end) };
    at = end;
  }
}

function* pngChunks(file: Uint8Array): Iterable<Piece> {
  const view = viewOf(file);
  for (let at = PNG_SIGNATURE.length; at + 12 <= file.length; ) {
    const end = at + 8 + view.getUint32(at);
    if (end + 4 > file.length) return;
    yield { type: characters(file.subarray(at + 4, at + 8)), content: file.subarray(at + 8, end) };
    at = end + 4;
  }
}

function* riffChunks(file: Uint8Array): Iterable<Piece> {
  const view = viewOf(file);
  for (let at = 12; at + 8 <= file.length; ) {
    const end = at + 8 + view.getUint32(at + 4, true);
    if (end > file.length) return;
    yield { type: characters(file.subarray(at, at + 4)), content: file.subarray(at + 8, end) };
    at = end + (end % 2);
  }
}

/** The JUMBF boxes of APP11 segments: pieces of one box share its instance number and each repeat its header. */
function jumbfBoxes(segments: readonly Piece[]): Uint8Array[] {
  const boxes = new Map<number, Uint8Array[]>();
  for (const { type, content } of segments) {
    if (type !== "eb" || !startsWith(content, "JP") || content.length < JUMBF_HEADER + BOX_HEADER) continue;
    const view = viewOf(content);
    const pieces = boxes.get(view.getUint16(2)) ?? [];
    if (view.getUint32(4) !== pieces.length + 1) continue;
    pieces.push(content.subarray(JUMBF_HEADER + (pieces.length === 0 ? 0 : BOX_HEADER)));
    boxes.set(view.getUint16(2), pieces);
  }
  return [...boxes.values()].map(joined);
}

/** The IIM resource among Photoshop's image resources. */
function iimIn(resources: Uint8Array): Uint8Array | null {
  const view = viewOf(resources);
  let at = 0;
  while (at + 12 <= resources.length && startsWith(resources.subarray(at), PHOTOSHOP_BLOCK)) {
    // A Pascal string names the resource; it and the data are each padded to even lengths.
    const sizeAt = at + 6 + padded(1 + view.getUint8(at + 6));
    if (sizeAt + 4 > resources.length) return null;
    const end = sizeAt + 4 + view.getUint32(sizeAt);
    if (end > resources.length) return null;
    if (view.getUint16(at + 4) === IIM_RESOURCE) return resources.subarray(sizeAt + 4, end);
    at = padded(end);
  }
  return null;
}

/**
 * The text of an `iTXt` chunk: after keyword, compression and two more terminated texts. Null when it is compressed.
 */
function internationalText(content: Uint8Array): Uint8Array | null {
  const flagAt = XMP_IN_PNG.length;
  if (content[flagAt] !== 0) return null;
  const language = content.indexOf(0, flagAt + 2);
  const translation = language < 0 ? -1 : content.indexOf(0, language + 1);
  return translation < 0 ? null : content.subarray(translation + 1);
}

function padded(length: number): number {
  return length + (length % 2);
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return characters(bytes.subarray(0, text.length)) === text;
}

function characters(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
