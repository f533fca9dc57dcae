export {
  openRecordSigner,
  type RecordSigner,
  type RecordToSign,
  type SignedRecord,
} from "./signing/record-signer.ts";
export { createTrustChain, type TrustChain } from "./signing/trust-chain.ts";
