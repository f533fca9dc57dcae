import { discard } from "../image/discard.ts";
import type { Luma } from "../image/luma.ts";
import type { Picture } from "../image/coded/read-picture.ts";
import { LIMITS } from "../matching/limits.ts";
import { encodePacket, PACKET_VERSION } from "../packet/registration-packet.ts";
import { wordTag } from "../packet/original.ts";
import { finestMap, residualSignature } from "../signature/block-signature.ts";
import { wholeKeys } from "../signature/whole-keys.ts";
import { cosineTerms, wholeQueryWords, wholeSignature, wholeWords } from "../signature/whole-signature.ts";
import { NEAREST_WORDS } from "../words/nearest-words.ts";
import type { Vocabulary } from "../words/vocabulary.ts";
import type { Extraction } from "./extract-features.ts";
import { extractQuery, wordsInSmall } from "./extract-query.ts";
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

/** A picture's luma, at no more than `COMPARISON_SIDE`, and the `cosineTerms` of it. */
interface Whole {
  readonly luma: Luma;
  readonly terms: Float64Array;
}

/**
 * What a registration keeps of a picture and of the points that are filed of it; their descriptors are used up. `inSmall`: the nearest words of its
 * small rasters' points.
 */
export function encodeOriginal(
  { luma, terms }: Whole,
  { features, descriptors }: Extraction,
  inSmall: readonly Int32Array[],
  packetId: Uint8Array,
  examiner: Examiner,
): RegistrationPacket {
  const nearest = examiner.vocabulary.nearestWords(descriptors);
  discard(descriptors);
  const wordTags = Uint16Array.from({ length: features.count }, (_, i) =>
    wordTag(nearest[i * NEAREST_WORDS]!),
  );
  const finest = finestMap(luma);
  const whole = wholeSignature(terms, finest);
  const residual = residualSignature(luma, finest, examiner.packetKey, packetId);
  discard(finest.data);
  const packet = encodePacket({ packetId, features, wordTags, whole, residual });
  const words = Int32Array.from([
    ...originalWords(nearest, inSmall, examiner.vocabulary),
    ...wholeWords(whole, features.count),
    ...wholeKeys(whole, features.count, examiner.packetKey),
  ]);
  return { packet, version: PACKET_VERSION, words };
}

/** What a registration keeps of a picture; `luma` at no more than `COMPARISON_SIDE`, a packet id of 16 bytes. */
export function makeOriginal(luma: Luma, packetId: Uint8Array, examiner: Examiner): RegistrationPacket {
  const raster = mainRaster(luma);
  const terms = cosineTerms(luma);
  try {
    const filed = filedPoints(raster);
    const inSmall = wordsInSmall(raster, filed.features.count, examiner.vocabulary);
    return encodeOriginal({ luma, terms }, filed, inSmall, packetId, examiner);
  } finally {
    terms.fill(0);
    discard(raster.data);
  }
}

function describeRaster(
  { contentHash, quantisation, luma }: Picture,
  terms: Float64Array,
  raster: Luma,
  purpose: Purpose,
  examiner: Examiner,
): DescribedPicture {
  const { vocabulary } = examiner;
  const { asked, filed } = mainPoints(raster, purpose === "registration");
  try {
    const { features, nearest, probes } = extractQuery(raster, asked, vocabulary);
    const whole = wholeQueryWords(terms);
    const words = [...queryWords(nearest, vocabulary, LIMITS.retrieval.words - whole.length), ...whole];
    const packetId = contentHash.slice(0, PACKET_ID_LENGTH);
    const inSmall = (count: number): readonly Int32Array[] =>
      wordsInSmall(raster, count, vocabulary, nearest.slice(1));
    return {
      queryWords: Int32Array.from(words),
      query: writeQueryState({ features, probes, luma, quantisation }),
      original:
        filed && encodeOriginal({ luma, terms }, filed, inSmall(filed.features.count), packetId, examiner),
    };
  } finally {
    // Used up already, unless something was thrown on the way.
    discard(asked.descriptors);
    if (filed !== null) discard(filed.descriptors);
  }
}

/**
 * Derives from a picture the query and, for a registration, the packet. The picture's luma is only read; every buffer of its own
 * that shows the picture is zeroed, but for the query itself. `terms`: the picture's `cosineTerms`, used up.
 */
export function describePicture(
  picture: Picture,
  terms: Float64Array,
  purpose: Purpose,
  examiner: Examiner,
): DescribedPicture {
  const raster = mainRaster(picture.luma);
  try {
    return describeRaster(picture, terms, raster, purpose, examiner);
  } finally {
    terms.fill(0);
    discard(raster.data);
  }
}
