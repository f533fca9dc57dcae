import { discard } from "../image/discard.ts";
import type { Luma } from "../image/luma.ts";
import type { Picture } from "../image/coded/read-picture.ts";
import { LIMITS } from "../matching/limits.ts";
import { encodePacket, PACKET_VERSION } from "../packet/registration-packet.ts";
import { wordTag } from "../packet/original.ts";
import { PROBES_PER_POINT } from "../packet/query.ts";
import { residualSignature } from "../signature/block-signature.ts";
import { wholeKeys } from "../signature/whole-keys.ts";
import { wholeQueryWords, wholeSignature, wholeWords } from "../signature/whole-signature.ts";
import { NEAREST_WORDS } from "../words/nearest-words.ts";
import type { Vocabulary } from "../words/vocabulary.ts";
import type { Extraction } from "./extract-features.ts";
import { extractQuery } from "./extract-query.ts";
import { filedPoints, mainPoints, mainRaster } from "./main-raster.ts";
import { writeQueryState } from "./query-buffer.ts";
import { originalWords, queryWords } from "./select-words.ts";

const PACKET_ID_LENGTH = 16;

export type Purpose = "registration" | "lookup";

/** What describing pictures needs. */
export interface Examiner {
  readonly vocabulary: Vocabulary;
  readonly packetKey: Uint8Array;
}

/** What the engine files of an original. */
export interface RegistrationPacket {
  readonly packet: Uint8Array;
  readonly version: number;
  /** Keys to file the original under: words of its points, and negative ones of the whole picture. */
  readonly words: Int32Array;
}

/** What is found in a picture. */
export interface DescribedPicture {
  /** At most 1,200 distinct retrieval keys, strongest first. */
  readonly queryWords: Int32Array;
  /** What matching needs, laid out by `writeQueryState`. */
  readonly query: ArrayBuffer;
  /** Only for a registration. */
  readonly original: RegistrationPacket | null;
}

/** What a registration keeps of a picture and of the points that are filed of it; their descriptors are used up. */
export function encodeOriginal(
  luma: Luma,
  { features, descriptors }: Extraction,
  packetId: Uint8Array,
  examiner: Examiner,
): RegistrationPacket {
  const nearest = examiner.vocabulary.nearestWords(descriptors);
  discard(descriptors);
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
    ...wholeKeys(whole, features.count, examiner.packetKey),
  ]);
  return { packet, version: PACKET_VERSION, words };
}

/** What a registration keeps of a picture; `luma` at no more than `COMPARISON_SIDE`, a packet id of 16 bytes. */
export function makeOriginal(luma: Luma, packetId: Uint8Array, examiner: Examiner): RegistrationPacket {
  return encodeOriginal(luma, filedPoints(luma), packetId, examiner);
}

/** The first `PROBES_PER_POINT` of the words of each point, raster by raster. */
export function probesOf(nearest: readonly Int32Array[], count: number): Int32Array {
  const probes = new Int32Array(count * PROBES_PER_POINT);
  let to = 0;
  for (const words of nearest) {
    for (let at = 0; at < words.length; at += NEAREST_WORDS, to += PROBES_PER_POINT) {
      probes.set(words.subarray(at, at + PROBES_PER_POINT), to);
    }
  }
  return probes;
}

function makeQuery(
  luma: Luma,
  raster: Luma,
  main: Extraction,
  quantisation: number,
  vocabulary: Vocabulary,
): { words: Int32Array; state: ArrayBuffer } {
  const { features, nearest } = extractQuery(raster, main, vocabulary);
  const probes = probesOf(nearest, features.count);
  const state = writeQueryState({ features, probes, luma, quantisation });
  const whole = wholeQueryWords(luma);
  const words = Int32Array.from([
    ...queryWords(nearest, vocabulary, LIMITS.retrieval.words - whole.length),
    ...whole,
  ]);
  return { words, state };
}

function describeRaster(
  { contentHash, quantisation, luma }: Picture,
  raster: Luma,
  purpose: Purpose,
  examiner: Examiner,
): DescribedPicture {
  const { asked, filed } = mainPoints(raster, purpose === "registration");
  try {
    const { words, state } = makeQuery(luma, raster, asked, quantisation, examiner.vocabulary);
    const packetId = contentHash.slice(0, PACKET_ID_LENGTH);
    const original = filed && encodeOriginal(luma, filed, packetId, examiner);
    return { queryWords: words, query: state, original };
  } finally {
    // Used up already, unless something was thrown on the way.
    discard(asked.descriptors);
    if (filed !== null) discard(filed.descriptors);
  }
}

/**
 * Derives from a picture the query and, for a registration, the packet. The picture's luma is only read; every buffer of its own
 * that shows the picture is zeroed, but for the query itself.
 */
export function describePicture(picture: Picture, purpose: Purpose, examiner: Examiner): DescribedPicture {
  const raster = mainRaster(picture.luma);
  try {
    return describeRaster(picture, raster, purpose, examiner);
  } finally {
    discard(raster.data);
  }
}
