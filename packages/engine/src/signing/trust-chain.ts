import { createPrivateKey, createPublicKey, webcrypto } from "node:crypto";
import { distinguishedName, encodeCertificate, encodeTbsCertificate } from "./encode-certificate.ts";
import {
  type Ed25519Pair,
  generateEd25519,
  importEd25519,
  randomSerialNumber,
  signEd25519,
} from "./ed25519.ts";

/**
 * A deployment's signing authority: certificates as DER, private keys as PKCS#8. Its keeper encrypts the keys;
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
 * Makes a root, an intermediate under it and a key for provenance documents, all fresh Ed25519. `trustDomain` is 1 to
 * 64 characters (RangeError otherwise); the root is valid for 30 years from `now`, the intermediate for 20.
 */
export async function createTrustChain(options: { trustDomain: string; now: Date }): Promise<TrustChain> {
  const { trustDomain, now } = options;
  const [root, intermediate, provenance] = await Promise.all([
    generateEd25519({ extractable: true }),
    generateEd25519({ extractable: true }),
    generateEd25519({ extractable: true }),
  ]);
  const rootName = distinguishedName(trustDomain, "Colophon root");
  const rootTbs = encodeTbsCertificate({
    issuer: rootName,
    issuerKey: root.publicKey,
    notBefore: new Date(now.getTime() - HEAD_START_MS),
    subjectAltName: null,
    serialNumber: randomSerialNumber(),
    subject: rootName,
    publicKey: root.publicKey,
    notAfter: yearsAfter(now, ROOT_YEARS),
    authorityPathLength: 1,
  });
  return {
    trustDomain,
    rootCertificate: encodeCertificate(rootTbs, await signEd25519(root.privateKey, rootTbs)),
    rootKey: await exportKey(root.privateKey),
    intermediateCertificate: await issueIntermediate(trustDomain, root, intermediate.publicKey, now),
    intermediateKey: await exportKey(intermediate.privateKey),
    provenanceKey: await exportKey(provenance.privateKey),
  };
}

/**
 * Makes another intermediate under the root of a chain, with a fresh key, valid for 20 years from `now`.
 * What was signed under the one before verifies as it did.
 */
export async function renewIntermediate(
  chain: Pick<TrustChain, "trustDomain" | "rootKey">,
  now: Date,
): Promise<Pick<TrustChain, "intermediateCertificate" | "intermediateKey">> {
  const root = { privateKey: await importEd25519(chain.rootKey), publicKey: publicKeyOf(chain.rootKey) };
  const intermediate = await generateEd25519({ extractable: true });
  return {
    intermediateCertificate: await issueIntermediate(chain.trustDomain, root, intermediate.publicKey, now),
    intermediateKey: await exportKey(intermediate.privateKey),
  };
}

async function issueIntermediate(
  trustDomain: string,
  root: Ed25519Pair,
  publicKey: Uint8Array,
  now: Date,
): Promise<Uint8Array> {
  const tbs = encodeTbsCertificate({
    issuer: distinguishedName(trustDomain, "Colophon root"),
    issuerKey: root.publicKey,
    serialNumber: randomSerialNumber(),
    subject: distinguishedName(trustDomain, "Colophon intermediate"),
    publicKey,
    notBefore: new Date(now.getTime() - HEAD_START_MS),
    notAfter: yearsAfter(now, INTERMEDIATE_YEARS),
    subjectAltName: null,
    authorityPathLength: 0,
  });
  return encodeCertificate(tbs, await signEd25519(root.privateKey, tbs));
}

/** The raw public half of a PKCS#8 Ed25519 key. */
function publicKeyOf(pkcs8: Uint8Array): Uint8Array {
  const key = createPublicKey(createPrivateKey({ key: Buffer.from(pkcs8), format: "der", type: "pkcs8" }));
  return key.export({ format: "der", type: "spki" }).subarray(-32);
}

function yearsAfter(date: Date, years: number): Date {
  const later = new Date(date);
  later.setUTCFullYear(later.getUTCFullYear() + years);
  return later;
}

async function exportKey(key: webcrypto.CryptoKey): Promise<Uint8Array> {
  return new Uint8Array(await webcrypto.subtle.exportKey("pkcs8", key));
}
