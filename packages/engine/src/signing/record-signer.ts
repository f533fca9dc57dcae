import type { webcrypto } from "node:crypto";
import {
  CANONICAL_VERSION,
  type Certificate,
  collectionPreimage,
  HASH_ALGORITHM,
  isIssuedBy,
  leafPeriod,
  leafSubjectAltName,
  type ManifestAttestation,
  manifestPreimage,
  organizationOf,
  readCertificate,
  recordDigest,
  type RecordStatement,
  type RecordVerification,
  SIGNATURE_ALGORITHM,
  sha256Hex,
  type StoredManifest,
  toBase64,
  toHex,
  toPem,
  verifyEd25519,
} from "@colophon/formats";
import { blake3 } from "../wasm/blake3.ts";
import { generateEd25519, importEd25519, randomSerialNumber, signEd25519 } from "./ed25519.ts";
import { distinguishedName, encodeCertificate, encodeTbsCertificate } from "./encode-certificate.ts";
import { openProvenanceSigner } from "./provenance.ts";
import type { TrustChain } from "./trust-chain.ts";

/** What one registration asks to have signed. */
export interface RecordToSign {
  /** 32 bytes: BLAKE3-256 of the registered image. */
  readonly contentHash: Uint8Array;
  /** In the order in which the record will return them. */
  readonly manifests: readonly StoredManifest[];
  readonly signedAt: Date;
  /** Version of the registration packet the engine derived, stated in the provenance document. */
  readonly packetVersion: number;
  /** 1 makes a record as from before manifest signing: the image is signed, its manifests and its time are not. */
  readonly canonicalVersion?: 1 | typeof CANONICAL_VERSION;
}

/** A signed record: what its readers verify, the attestation of each manifest in order, and the opaque document. */
export interface SignedRecord {
  readonly verification: RecordVerification;
  readonly manifests: readonly ManifestAttestation[];
  /** The provenance document, a compact JWS. */
  readonly engineRecord: string;
  /** The record digest that covers the leaf certificate, 32 bytes. */
  readonly digest: Uint8Array;
}

/** Signs records, each with a key and a certificate of its own; safe to use for many records at once. */
export interface RecordSigner {
  readonly trustDomain: string;
  /** The trust root readers compare with, PEM. */
  readonly trustRoot: string;
  signRecord(record: RecordToSign): Promise<SignedRecord>;
}

/**
 * Opens a chain for signing. Throws a TypeError when the certificates do not belong together or a key is not that of
 * its certificate, so that a damaged store is found at the start and not in a published record.
 */
export async function openRecordSigner(
  chain: Omit<TrustChain, "rootKey"> & {
    /** Which of the deployment's chains it is, counted from 1: metadata on every record. */
    readonly trustVersion?: number;
  },
): Promise<RecordSigner> {
  const root = readCertificate(chain.rootCertificate);
  const intermediate = readCertificate(chain.intermediateCertificate);
  const key = await importEd25519(chain.intermediateKey);
  await checkChain(root, intermediate, chain.trustDomain, key);
  const provenance = await openProvenanceSigner(chain.provenanceKey);
  const certificateChain = [toPem(intermediate.der), toPem(root.der)];
  const issuer = {
    certificate: intermediate,
    key,
    subject: distinguishedName(chain.trustDomain, "Registrant"),
  };

  return {
    trustDomain: chain.trustDomain,
    trustRoot: toPem(root.der),
    async signRecord(record) {
      const statement = statementOf(record);
      const leaf = await issueLeaf(issuer, statement);
      const { manifests, ...signatures } = await signContent(leaf.privateKey, statement);
      const verification = {
        contentHash: toHex(statement.contentHash),
        hashAlgorithm: HASH_ALGORITHM,
        signedAtUtc: statement.signedAt.toISOString(),
        signature: signatures.image,
        signatureAlgorithm: SIGNATURE_ALGORITHM,
        publicKey: toBase64(leaf.publicKey),
        leafCertificate: toPem(leaf.der),
        certificateChain,
        leafCertificateThumbprint: sha256Hex(leaf.der),
        trustContext: chain.trustDomain,
        trustVersion: chain.trustVersion ?? 1,
        canonicalVersion: statement.canonicalVersion,
        collectionSignature: signatures.collection,
      };
      const engineRecord = await provenance.sign(verification, record.packetVersion);
      return { verification, manifests, engineRecord, digest: recordDigest(statement, leaf.der) };
    },
  };
}

function statementOf(record: RecordToSign): RecordStatement {
  const { contentHash, signedAt, canonicalVersion = CANONICAL_VERSION } = record;
  const manifests = record.manifests.map(({ kind, stored }) => ({ kind, hash: blake3(stored) }));
  return { canonicalVersion, contentHash, manifests, signedAt };
}

interface Issuer {
  readonly certificate: Certificate;
  readonly key: webcrypto.CryptoKey;
  /** The one subject of all leaves: it names nobody. */
  readonly subject: Uint8Array;
}

interface Leaf {
  readonly der: Uint8Array;
  readonly publicKey: Uint8Array;
  /** Not extractable, and dropped with this object once the record is signed. */
  readonly privateKey: webcrypto.CryptoKey;
}

/**
 * A key and its certificate for one record, which the certificate names; one of version 1 has nothing it could name.
 */
async function issueLeaf(issuer: Issuer, statement: RecordStatement): Promise<Leaf> {
  const { certificate } = issuer;
  const { signedAt, canonicalVersion } = statement;
  if (signedAt < certificate.notBefore || signedAt > certificate.notAfter) {
    throw new RangeError("the intermediate certificate is not valid at the time of signing");
  }
  const { publicKey, privateKey } = await generateEd25519({ extractable: false });
  const tbs = encodeTbsCertificate({
    serialNumber: randomSerialNumber(),
    issuer: certificate.subject,
    issuerKey: certificate.publicKey,
    subject: issuer.subject,
    publicKey,
    ...leafPeriod(signedAt),
    authorityPathLength: null,
    subjectAltName: canonicalVersion < CANONICAL_VERSION ? null : leafSubjectAltName(statement),
  });
  return { der: encodeCertificate(tbs, await signEd25519(issuer.key, tbs)), publicKey, privateKey };
}

interface ContentSignatures {
  readonly image: string;
  readonly collection: string | null;
  readonly manifests: readonly ManifestAttestation[];
}

async function signContent(
  key: webcrypto.CryptoKey,
  { contentHash, canonicalVersion: version, manifests }: RecordStatement,
): Promise<ContentSignatures> {
  const sign = async (message: Uint8Array): Promise<string> => toBase64(await signEd25519(key, message));
  if (version < CANONICAL_VERSION) {
    const unsigned = manifests.map(() => ({ hash: null, signature: null }));
    return { image: await sign(contentHash), collection: null, manifests: unsigned };
  }
  const [image, collection, signatures] = await Promise.all([
    sign(contentHash),
    manifests.length === 0 ? null : sign(collectionPreimage(version, contentHash, manifests)),
    Promise.all(manifests.map(async (manifest) => sign(manifestPreimage(version, contentHash, manifest)))),
  ]);
  return {
    image,
    collection,
    manifests: manifests.map(({ hash }, i) => ({ hash: toHex(hash), signature: signatures[i] ?? null })),
  };
}

async function checkChain(
  root: Certificate,
  intermediate: Certificate,
  trustDomain: string,
  key: webcrypto.CryptoKey,
): Promise<void> {
  if (!isIssuedBy(root, root) || !isIssuedBy(intermediate, root)) {
    throw new TypeError("the stored certificates are not one chain");
  }
  if ([root, intermediate].some(({ subject }) => organizationOf(subject) !== trustDomain)) {
    throw new TypeError("the stored certificates are of another organization than the trust domain");
  }
  const probe = new TextEncoder().encode("colophon");
  if (!verifyEd25519(await signEd25519(key, probe), probe, intermediate.publicKey)) {
    throw new TypeError("the stored intermediate key is not that of its certificate");
  }
}
