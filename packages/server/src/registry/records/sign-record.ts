import type { SignedRecord } from "@colophon/engine";
import type { StoredManifest } from "@colophon/formats";
import type { Extraction } from "../../store/originals/extraction.ts";
import type { Services } from "../services.ts";

/** Signs the record of an image that is about to be published, under a fresh key and the time of now. */
export function signRecord(
  { keys }: Pick<Services, "keys">,
  { originalImageHash, packetVersion }: Extraction,
  manifests: readonly StoredManifest[],
): Promise<SignedRecord> {
  const contentHash = originalImageHash;
  return keys.signer.signRecord({ contentHash, manifests, signedAt: new Date(), packetVersion });
}
