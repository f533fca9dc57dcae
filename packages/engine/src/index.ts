export type { DeclineName } from "./image/coded/header/declined.ts";
export { decodableTypes, sniffMediaType } from "./image/coded/media-type.ts";
export type { Purpose, RegistrationPacket } from "./examine/describe-picture.ts";
export type { Declined } from "./decoder/decoder.ts";
export type { Busy } from "./worker/turns.ts";
export { RecentShares } from "./worker/recent-shares.ts";
export { openImageEngine } from "./worker/open-image-engine.ts";
export type {
  Examination,
  Glance,
  ImageEngine,
  ImageEngineOptions,
  Matched,
  Shortlisted,
} from "./worker/image-engine.ts";
export type { Place, Size } from "./matching/locate/place.ts";
export { placeInPixels, type PlaceInPixels } from "./matching/locate/place-in-pixels.ts";
export { type Polygon, UNIT_SQUARE } from "./geometry/polygon.ts";
export { unionArea } from "./geometry/union-area.ts";
export type { PacketCandidate, RankingCandidate } from "./worker/job.ts";
export { MAX_SHORTLISTED } from "./matching/shortlist.ts";
export { isReadablePacket, makeRankingPart } from "./packet/read-packet.ts";
export { isReadVersion } from "./packet/registration-packet.ts";
export {
  openRecordSigner,
  type RecordSigner,
  type RecordToSign,
  type SignedRecord,
} from "./signing/record-signer.ts";
export { createTrustChain, renewIntermediate, type TrustChain } from "./signing/trust-chain.ts";
export { blake3 } from "./wasm/blake3.ts";
export { filedBeside } from "./signature/whole-keys.ts";
