import { webcrypto } from "node:crypto";
import { distinguishedName, encodeCertificate, encodeTbsCertificate } from "./encode-certificate.ts";
import { generateEd25519, randomSerialNumber, signEd25519 } from "./ed25519.ts";

/**
 * A deployment's signing authority: certificates as DER, private keys as PKCS#8. Whoever stores it encrypts the keys;
 * `rootKey` is needed to make another intermediate, never to sign a record.
 */
export interface TrustChain {
  /** Names the deployment; states itself as every record's `trustContext` and every certificate's organization. */
  readonly trustDomain: string;
  readonly rootCertificate: Uint8Array;
  readonly rootKey: Uint8Array;
  readonly intermediateCertificate: Uint8Array;
  readonly intermediateKey: Uint8Array;
  /** Signs the provenance documents. */
  readonly provenanceKey: Uint8Array;
}

const ROOT_YEARS = 30;
const INTERMEDIATE_YEARS = 20;
/** How long before its making an authority is valid already, so that clocks that run late accept it. */
const HEAD_START_MS = 3_600_000;

/**
 * Makes a root, an intermediate under it and a key for provenance documents, all fresh Ed25519. `trustDomain` is 1 to 64
 * characters (RangeError otherwise); the root is valid for 30 years from `now`, the intermediate for 20.
 */
export async function createTrustChain(options: { trustDomain: string; now: Date }): Promise<TrustChain> {
  const { trustDomain, now } = options;
  const [root, intermediate, provenance] = await Promise.all([
    generateEd25519({ extractable: true }),
    generateEd25519({ extractable: true }),
    generateEd25519({ extractable: true }),
  ]);
  const rootName = distinguishedName(trustDomain, "Colophon root");
  const issued = {
    issuer: rootName,
    issuerKey: root.publicKey,
    notBefore: new Date(now.getTime() - HEAD_START_MS),
    subjectAltName: null,
  };
  const rootTbs = encodeTbsCertificate({
    ...issued,
    serialNumber: randomSerialNumber(),
    subject: rootName,
    publicKey: root.publicKey,
    notAfter: yearsAfter(now, ROOT_YEARS),
    authorityPathLength: 1,
  });
  const intermediateTbs = encodeTbsCertificate({
    ...issued,
    serialNumber: randomSerialNumber(),
    subject: distinguishedName(trustDomain, "Colophon intermediate"),
    publicKey: intermediate.publicKey,
    notAfter: yearsAfter(now, INTERMEDIATE_YEARS),
    authorityPathLength: 0,
  });
  return {
    trustDomain,
    rootCertificate: encodeCertificate(rootTbs, await signEd25519(root.privateKey, rootTbs)),
    rootKey: await exportKey(root.privateKey),
    intermediateCertificate: encodeCertificate(
      intermediateTbs,
      await signEd25519(root.privateKey, intermediateTbs),
    ),
    intermediateKey: await exportKey(intermediate.privateKey),
    provenanceKey: await exportKey(provenance.privateKey),
  };
}

function yearsAfter(date: Date, years: number): Date {
  const later = new Date(date);
  later.setUTCFullYear(later.getUTCFullYear() + years);
  return later;
}

async function exportKey(key: webcrypto.CryptoKey): Promise<Uint8Array> {
  return new Uint8Array(await webcrypto.subtle.exportKey("pkcs8", key));
}
