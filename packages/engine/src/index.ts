export { decodableTypes, type DeclineName, sniffMediaType } from "./decode.ts";
export type { Purpose, RegistrationPacket } from "./examine-image.ts";
export {
  openImageEngine,
  type Busy,
  type Declined,
  type Examination,
  type ImageEngine,
  type ImageEngineOptions,
  type Matched,
} from "./image-engine.ts";
export type { Candidate } from "./image-job.ts";
export { isReadablePacket } from "./read-packet.ts";
export { PACKET_VERSION } from "./registration-packet.ts";
export {
  openRecordSigner,
  type RecordSigner,
  type RecordToSign,
  type SignedRecord,
} from "./signing/record-signer.ts";
export { createTrustChain, type TrustChain } from "./signing/trust-chain.ts";
export { blake3 } from "./vector/blake3.ts";
