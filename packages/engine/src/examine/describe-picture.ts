import { discard } from "../image/discard.ts";
import type { Luma } from "../image/luma.ts";
import type { Picture } from "../image/coded/read-picture.ts";
import { firstFeatures, joinFeatures } from "../features/join-features.ts";
import { LIMITS } from "../matching/limits.ts";
import { encodePacket, MAX_PACKET_POINTS, PACKET_VERSION } from "../packet/registration-packet.ts";
import { type StoredOriginal, wordTag } from "../packet/original.ts";
import { finestMap, readResidual, residualSignature } from "../signature/block-signature.ts";
import { ownKinds } from "../signature/own-kinds.ts";
import { wholeKeys } from "../signature/whole-keys.ts";
import { cosineTerms, wholeQueryWords, wholeSignature, wholeWords } from "../signature/whole-signature.ts";
import { NEAREST_WORDS } from "../words/nearest-words.ts";
import type { Vocabulary } from "../words/vocabulary.ts";
import { extractQuery, type InSmall, inSmall, type NamedPoints } from "./extract-query.ts";
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
  /** At most 1,200 distinct retrieval keys. */
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
 * What is filed of a picture's points: those themselves, `NEAREST_WORDS` words for each of them, and the picture in
 * small.
 */
interface Filed extends NamedPoints {
  readonly small: InSmall;
}

/** The strongest of points that have words. */
function strongest({ features, nearest }: NamedPoints, most: number): NamedPoints {
  const count = Math.min(most, nearest.length / NEAREST_WORDS);
  return { features: firstFeatures(features, count), nearest: nearest.subarray(0, count * NEAREST_WORDS) };
}

/**
 * What an original is placed by: its own points, then the strongest of it in small, as many of each raster as there is
 * room for.
 */
function placedBy(
  own: NamedPoints,
  small: readonly NamedPoints[],
): Pick<StoredOriginal, "placing" | "wordTags"> {
  if (small.length === 0) return { placing: own.features, wordTags: tagsOf([own]) };
  const room = Math.floor((MAX_PACKET_POINTS - own.features.count) / small.length);
  const all = [own, ...small.map((points) => strongest(points, room))];
  return { placing: joinFeatures(all.map(({ features }) => features)), wordTags: tagsOf(all) };
}

/** A tag of each point's nearest word. */
function tagsOf(rasters: readonly NamedPoints[]): Uint16Array {
  const nearest = rasters.flatMap((points) =>
    Array.from({ length: points.features.count }, (_, i) => points.nearest[i * NEAREST_WORDS]!),
  );
  return Uint16Array.from(nearest, wordTag);
}

/** What a registration keeps of a picture and of the points that are filed of it. */
export function encodeOriginal(
  { luma, terms }: Whole,
  { features, nearest, small }: Filed,
  packetId: Uint8Array,
  examiner: Examiner,
): RegistrationPacket {
  const { placing, wordTags } = placedBy({ features, nearest }, small.placing);
  const finest = finestMap(luma);
  const whole = wholeSignature(terms, finest);
  const { packetKey, vocabulary } = examiner;
  const residual = residualSignature(luma, finest, packetKey, packetId);
  const kinds = ownKinds(luma, readResidual(residual)!, { packetKey, packetId });
  discard(finest.data);
  const packet = encodePacket({ packetId, features, placing, wordTags, whole, residual, kinds });
  const words = Int32Array.from([
    ...originalWords(nearest, small.words, vocabulary),
    ...wholeWords(whole, features.count),
    ...wholeKeys(whole, features.count, packetKey),
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
    const small = inSmall(raster, features.count, examiner.vocabulary);
    return encodeOriginal({ luma, terms }, { features, nearest, small }, packetId, examiner);
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
    const { features, nearest, probes } = extractQuery(luma, raster, asked, vocabulary);
    const whole = wholeQueryWords(terms);
    const words = [...queryWords(nearest, vocabulary, LIMITS.retrieval.words - whole.length), ...whole];
    const packetId = contentHash.slice(0, PACKET_ID_LENGTH);
    const toFile = (points: FiledPoints): Filed => ({
      features: points.features,
      nearest: wordsOfFiled(points, nearest.main, vocabulary),
      small: inSmall(raster, points.features.count, vocabulary, nearest.small),
    });
    return {
      queryWords: Int32Array.from(words),
      query: writeQueryState({ features, probes, luma, terms, quantisation }),
      original: filed && encodeOriginal({ luma, terms }, toFile(filed), packetId, examiner),
    };
  } finally {
    // Used up already, unless something was thrown on the way.
    discard(asked.descriptors);
    if (filed !== null) discard(filed.descriptors);
  }
}

/**
 * Derives from a picture the query and, for a registration, the packet. The picture's luma is only read; every buffer
 * of its own that shows the picture is zeroed, but for the query itself. `terms`: the picture's `cosineTerms`, used up.
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
