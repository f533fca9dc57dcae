/**
 * The door for evaluation, training and vectors: what benchmarks and tools may see of the inside. The service never
 * opens it.
 */
export { encodeOriginal, makeOriginal, type Purpose } from "./examine/describe-picture.ts";
export { examineImage, type ImageExaminer } from "./examine/examine-image.ts";
export { extractFeatures, type Extraction } from "./examine/extract-features.ts";
export { extractQuery } from "./examine/extract-query.ts";
export { mainPoints, mainRaster } from "./examine/main-raster.ts";
export { wordsOfFiled } from "./examine/words-of-filed.ts";
export { readQueryState, writeQueryState } from "./examine/query-buffer.ts";
export { originalWords, queryWords } from "./examine/select-words.ts";
export { binarise, BITS_STRIDE } from "./features/binarise.ts";
export type { Features } from "./features/features.ts";
export type { Luma, Rgb } from "./image/luma.ts";
export { hamming } from "./features/hamming.ts";
export { DESCRIPTOR_LENGTH } from "./features/sift/descriptor.ts";
export { referenceSift } from "./features/sift/sift.ts";
export { decodeImage, discardRaster, restrictDecoders } from "./image/coded/decode.ts";
export { type DecodeOptions, decodeCost } from "./image/coded/decode-cost.ts";
export { ImageDeclined } from "./image/coded/header/declined.ts";
export { decodableTypes } from "./image/coded/media-type.ts";
export { hashPixels } from "./image/pixel-hash.ts";
export { jpegQuantisation } from "./image/coded/jpeg-quantisation.ts";
export { blur, splitBands } from "./image/blur.ts";
export type { Plane } from "./image/plane.ts";
export { fitPlane, resizePlane } from "./image/resize-plane.ts";
export { shrink } from "./image/shrink.ts";
export { fittedSize, lumaOf, resizeLuma, shrinkLuma } from "./image/raster.ts";
export { type Candidate, rankCandidates } from "./matching/rank/rank-candidates.ts";
export { shortlist } from "./matching/shortlist.ts";
export { Ranking, indexQuery } from "./matching/rank/ranking.ts";
export { placeCandidate } from "./matching/place/place-candidate.ts";
export { DRAWN_INPUTS, WEIGHT_ONE, drawnInputs } from "./features/drawn.ts";
export { GRAPHIC, NATURAL, RULE } from "./signature/block-kinds.ts";
export { resolvedFine } from "./matching/compare/telling.ts";
export { LIMITS } from "./matching/limits.ts";
export type { LayerParts, Parts } from "./matching/compare/parts.ts";
export {
  type Decision,
  decide,
  decideWhole,
  leastPartOf,
  type PartLimits,
} from "./matching/decide/decide.ts";
export { foundAgain } from "./matching/decide/described-again.ts";
export { type Evidence, layerEvidence, type Odds } from "./matching/decide/evidence.ts";
export { kindAt, lookAt } from "./matching/decide/looked-at.ts";
export { bothOf } from "./matching/decide/borne-out.ts";
export { closerOdds, closerOddsOf, isClose, oddsOf } from "./matching/decide/odds.ts";
export { FIRST_SIGNS, isInset, shownOf, SIGN_NAMES, signsOf } from "./matching/decide/signs.ts";
export { examineCandidates, type Finding, isWorthPlacing, matchQuery } from "./matching/match-query.ts";
export { matchPlainCopy, standsApart } from "./matching/plain-copy.ts";
export {
  decodePacket,
  encodePacket,
  MAX_PACKET_POINTS,
  PACKET_VERSION,
} from "./packet/registration-packet.ts";
export { COMPARISON_SIDE } from "./image/luma.ts";
export { encodeRankingPart, RankingPart } from "./packet/ranking-part.ts";
export { PROBES_PER_POINT, type Query } from "./packet/query.ts";
export { type StoredOriginal, wordTag } from "./packet/original.ts";
export {
  blockStart,
  finestMap,
  LAYERS,
  readResidual,
  type ResidualLayer,
  residualSignature,
} from "./signature/block-signature.ts";
export { BITS_PER_BLOCK, BLOCK, NIBBLES, NIBBLES_PER_BLOCK, Projections } from "./signature/projections.ts";
export { underKey } from "./signature/own-kinds.ts";
export {
  cosineTerms,
  WHOLE_SIGNATURE_BYTES,
  wholeQueryWords,
  wholeSignature,
  wholeWords,
} from "./signature/whole-signature.ts";
export { filedBeside, wholeKeysAsked } from "./signature/whole-keys.ts";
export { distinguishedName, encodeCertificate, encodeTbsCertificate } from "./signing/encode-certificate.ts";
export { blake3 } from "./wasm/blake3.ts";
export {
  VOCABULARY_OFFSETS,
  vocabularyHeader,
  loadVocabulary,
  VOCABULARY_VERSION,
} from "./learned/vocabulary-file.ts";
export { NEAREST_WORDS, type NearestWords, referenceNearestWords } from "./words/nearest-words.ts";
export { inverted, mirrored } from "./words/vocabulary-tables.ts";
export { openVocabulary, type Vocabulary } from "./words/vocabulary.ts";
