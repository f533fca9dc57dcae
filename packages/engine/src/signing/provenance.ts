import { createPrivateKey, createPublicKey } from "node:crypto";
import type { RecordVerification } from "@colophon/formats";
import { calculateJwkThumbprint } from "jose/jwk/thumbprint";
import { CompactSign } from "jose/jws/compact/sign";

/** Signs the engine's provenance documents with one long-lived key of the deployment. */
export interface ProvenanceSigner {
  /** A compact JWS (RFC 7515, EdDSA) that says which image was registered when, under which leaf certificate. */
  sign(verification: RecordVerification, packetVersion: number): Promise<string>;
}

/** Opens the signer on a PKCS#8 Ed25519 key; its documents name the key by its JWK thumbprint (RFC 7638). */
export async function openProvenanceSigner(pkcs8: Uint8Array): Promise<ProvenanceSigner> {
  const key = createPrivateKey({ key: Buffer.from(pkcs8), format: "der", type: "pkcs8" });
  const kid = await calculateJwkThumbprint(createPublicKey(key).export({ format: "jwk" }));
  return {
    async sign(verification, packetVersion) {
      const document = {
        originalImageHash: verification.contentHash,
        contentHash: verification.contentHash,
        hashAlgorithm: verification.hashAlgorithm,
        signedAt: verification.signedAtUtc,
        leafCertificateThumbprint: verification.leafCertificateThumbprint,
        trustContext: verification.trustContext,
        packetVersion,
      };
      return new CompactSign(new TextEncoder().encode(JSON.stringify(document)))
        .setProtectedHeader({ alg: "EdDSA", typ: "colophon-provenance+jws", kid })
        .sign(key);
    },
  };
}
