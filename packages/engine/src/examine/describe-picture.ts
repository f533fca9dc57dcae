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
import type { Features } from "../features/features.ts";
import { extractQuery, wordsInSmall } from "./extract-query.ts";
import { type FiledPoints, filedPoints, mainPoints, mainRaster } from "./main-raster.ts";
import { wordsOfFiled } from "./words-of-filed.ts";
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

/** What is filed of a picture's points: those themselves, and `NEAREST_WORDS` words for each of them and of its small rasters' points. */
interface Filed {
  readonly features: Features;
  readonly nearest: Int32Array;
  readonly inSmall: readonly Int32Array[];
}

/** What a registration keeps of a picture and of the points that are filed of it. */
export function encodeOriginal(
  { luma, terms }: Whole,
  { features, nearest, inSmall }: Filed,
  packetId: Uint8Array,
  examiner: Examiner,
): RegistrationPacket {
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
    const { features, descriptors } = filedPoints(raster);
    const nearest = examiner.vocabulary.nearestWords(descriptors);
    discard(descriptors);
    const inSmall = wordsInSmall(raster, features.count, examiner.vocabulary);
    return encodeOriginal({ luma, terms }, { features, nearest, inSmall }, packetId, examiner);
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
    const toFile = (points: FiledPoints): Filed => ({
      features: points.features,
      nearest: wordsOfFiled(points, nearest[0]!, vocabulary),
      inSmall: wordsInSmall(raster, points.features.count, vocabulary, nearest.slice(1)),
    });
    return {
      queryWords: Int32Array.from(words),
      query: writeQueryState({ features, probes, luma, quantisation }),
      original: filed && encodeOriginal({ luma, terms }, toFile(filed), packetId, examiner),
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
