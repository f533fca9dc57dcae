import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { type DecodeOptions, decodeImage, discardRaster, readHeader } from "./decode.ts";
import { extractFeatures } from "./extract-features.ts";
import type { Luma } from "./features.ts";
import { COMPARISON_SIDE, PROBES_PER_POINT, wordTag } from "./matching/subjects.ts";
import { jpegCoarseness } from "./matching/jpeg-coarseness.ts";
import { residualSignature } from "./matching/residual-signature.ts";
import { wholeQueryWords, wholeSignature, wholeWords } from "./matching/whole-signature.ts";
import { extractQuery } from "./extract-query.ts";
import { writeQueryState } from "./query-state.ts";
import { fittedSize, lumaOf, resizeLuma, type Rgb } from "./raster.ts";
import { encodePacket, MAX_PACKET_POINTS, PACKET_VERSION } from "./registration-packet.ts";
import { originalWords, queryWords } from "./select-words.ts";
import { blake3 } from "./vector/blake3.ts";
import { NEAREST_WORDS, type Vocabulary } from "./vocabulary.ts";

/** Longest side of an original's raster in which points are found, pixels, and most points kept. */
const ORIGINAL = { side: 480, limit: MAX_PACKET_POINTS } as const;
/** Originals smaller than this are enlarged to twice their size; others below `ORIGINAL.side` keep theirs. */
const SMALL_ORIGINAL = 240;

/** Most words that one look-up asks for. */
const MAX_QUERY_WORDS = 1500;

const PACKET_ID_LENGTH = 16;

export type Purpose = "registration" | "lookup";

/** What examining needs besides the image. */
export interface Examiner {
  readonly decode: DecodeOptions;
  readonly vocabulary: Vocabulary;
  readonly packetKey: Uint8Array;
  /** Waits until a picture of this many pixels may be decoded. */
  readonly reserve: (pixels: number) => Disposable;
}

/** What the engine files of an original. */
export interface RegistrationPacket {
  readonly packet: Uint8Array;
  readonly version: number;
  /** Keys to file the original under: words of its points, and negative ones of the whole picture where it has few. */
  readonly words: Int32Array;
}

/** All that an examination yields, in a form that threads can pass to each other. */
export interface ExaminedImage {
  readonly width: number;
  readonly height: number;
  readonly contentHash: Uint8Array;
  readonly pixelHash: Uint8Array;
  readonly queryWords: Int32Array;
  readonly query: SharedArrayBuffer;
  readonly original: RegistrationPacket | null;
}

/**
 * SHA-256 over the ASCII bytes `colophon pixels 1`, width and height as uint32 big-endian, then the upright picture's
 * RGB bytes row by row: equal for two files exactly when they show the same pixels.
 */
export function hashPixels({ width, height, data }: Rgb): Uint8Array {
  const size = new DataView(new ArrayBuffer(8));
  size.setUint32(0, width);
  size.setUint32(4, height);
  return new Uint8Array(createHash("sha256").update("colophon pixels 1").update(size).update(data).digest());
}

function originalRaster(luma: Luma): Luma {
  const longest = Math.max(luma.width, luma.height);
  const small = longest < SMALL_ORIGINAL ? 2 * longest : longest;
  const { width, height } = fittedSize(luma.width, luma.height, Math.min(ORIGINAL.side, small));
  return resizeLuma(luma, width, height);
}

/** What a registration keeps of a picture; `luma` at no more than `COMPARISON_SIDE`, a packet id of 16 bytes. */
export function makeOriginal(
  luma: Luma,
  packetId: Uint8Array,
  examiner: Pick<Examiner, "vocabulary" | "packetKey">,
): RegistrationPacket {
  const raster = originalRaster(luma);
  using erasing = new DisposableStack();
  erasing.defer(() => raster.data.fill(0));
  const { features, descriptors } = extractFeatures(raster, {
    limit: ORIGINAL.limit,
    thinBursts: true,
    faint: true,
  });
  erasing.defer(() => descriptors.fill(0));
  const nearest = examiner.vocabulary.nearestWords(descriptors);
  const wordTags = Uint16Array.from({ length: features.count }, (_, i) =>
    wordTag(nearest[i * NEAREST_WORDS]!),
  );
  const whole = wholeSignature(luma);
  const packet = encodePacket({
    packetId,
    features,
    wordTags,
    whole,
    residual: residualSignature(luma, examiner.packetKey, packetId),
  });
  const words = Int32Array.from([
    ...originalWords(nearest, examiner.vocabulary),
    ...wholeWords(whole, features.count),
  ]);
  return { packet, version: PACKET_VERSION, words };
}

function makeQuery(
  luma: Luma,
  coarseness: number,
  vocabulary: Vocabulary,
): { words: Int32Array; state: SharedArrayBuffer } {
  const { features, nearest } = extractQuery(luma, vocabulary);
  const probes = nearest.flatMap((words) =>
    Array.from(words.filter((_, i) => i % NEAREST_WORDS < PROBES_PER_POINT)),
  );
  const state = writeQueryState({ features, probes: Int32Array.from(probes), luma, coarseness });
  const whole = wholeQueryWords(luma);
  const words = Int32Array.from([
    ...queryWords(nearest, vocabulary, MAX_QUERY_WORDS - whole.length),
    ...whole,
  ]);
  return { words, state };
}

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixelHash: Uint8Array;
  readonly luma: Luma;
}

/** Decodes an image to what is needed of its pixels. */
async function readPicture(image: Uint8Array, { decode, reserve }: Examiner): Promise<Picture> {
  const header = await readHeader(image, decode);
  await using held = new AsyncDisposableStack();
  held.use(reserve(header.pixels));
  const picture = await decodeImage(image, decode);
  held.defer(async () => {
    discardRaster(picture);
    // The memory of a raster goes back between two turns of the event loop.
    await setImmediate();
  });
  const { width, height } = picture;
  return { width, height, pixelHash: hashPixels(picture), luma: lumaOf(picture, COMPARISON_SIDE) };
}

/**
 * Decodes one image once and derives everything from it: hashes, the query and, for a registration, the packet.
 * Every buffer that shows the picture is zeroed before it returns, but for the query itself.
 *
 * @throws {ImageDeclined} for an image that cannot or may not be decoded
 */
export async function examineImage(
  image: Uint8Array,
  purpose: Purpose,
  examiner: Examiner,
): Promise<ExaminedImage> {
  const { width, height, pixelHash, luma } = await readPicture(image, examiner);
  using erasing = new DisposableStack();
  erasing.defer(() => luma.data.fill(0));
  const contentHash = blake3(image);
  const query = makeQuery(luma, jpegCoarseness(image), examiner.vocabulary);
  const packetId = contentHash.slice(0, PACKET_ID_LENGTH);
  const original = purpose === "registration" ? makeOriginal(luma, packetId, examiner) : null;
  return { width, height, contentHash, pixelHash, queryWords: query.words, query: query.state, original };
}
