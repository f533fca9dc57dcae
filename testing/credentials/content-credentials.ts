import { execFileSync } from "node:child_process";
import { sign } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as library from "@contentauth/c2pa-wasm";
import type { C2paLibrary } from "@colophon/credentials";
import { concat, fromPem, toUtf8, uint16, uint32 } from "@colophon/formats";

/** Who signs Content Credentials: a certificate, its key, and the root above it, all in PEM. */
export interface Signer {
  readonly root: string;
  readonly certificate: string;
  readonly key: string;
}

/** Bytes kept for a signature, and the least of its padding. */
const RESERVED = 10_000;
const PADDING = 1000;

const LEAF_PROFILE = [
  "basicConstraints=critical,CA:FALSE",
  "keyUsage=critical,digitalSignature",
  "extendedKeyUsage=critical,emailProtection",
  "authorityKeyIdentifier=keyid",
  "subjectKeyIdentifier=hash",
].join("\n");

/** A signer with a root of its own, under the certificate profile of C2PA. @param organisation one word */
export function newSigner(organisation: string): Signer {
  const folder = mkdtempSync(join(tmpdir(), "colophon-signer-"));
  const openssl = (line: string): void => {
    execFileSync("openssl", line.split(" "), { cwd: folder, stdio: "pipe" });
  };
  const pem = (name: string): string => readFileSync(join(folder, name), "utf8");
  const newKey = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
  const subject = `-subj /O=${organisation}`;
  try {
    writeFileSync(join(folder, "profile"), LEAF_PROFILE);
    const root = "-keyout root.key -out root.pem -addext keyUsage=critical,keyCertSign";
    openssl(`req -x509 ${newKey} ${root} -days 30 ${subject}/CN=Root`);
    openssl(`req ${newKey} -keyout key.pem -out request ${subject}/CN=Desk`);
    openssl("x509 -req -in request -CA root.pem -CAkey root.key -days 20 -extfile profile -out leaf.pem");
    return { root: pem("root.pem"), certificate: pem("leaf.pem"), key: pem("key.pem") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A signed picture, and its C2PA manifest store alone. */
export interface SignedPicture {
  readonly file: Uint8Array<ArrayBuffer>;
  readonly store: Uint8Array<ArrayBuffer>;
}

/** What a signed picture has beside its signature; all pictures of one type. */
export interface SigningOptions {
  /** A picture that it was made from, with its own Content Credentials or without. */
  readonly ingredient?: Uint8Array<ArrayBuffer>;
  readonly thumbnail?: Uint8Array<ArrayBuffer>;
  /** What its manifest states beside that it was taken. */
  readonly assertions?: readonly { readonly label: string; readonly data: object }[];
  /** Whether its manifest is compressed (`c2cm`). */
  readonly isCompressed?: boolean;
  /** Where its store is fetched, which is then not in the file; with the label of its manifest. */
  readonly remote?: { readonly url: string; readonly label: string };
}

/** Signs a picture as taken by a camera, with the library that the tools of Content Credentials use. */
export async function signPicture(
  image: Uint8Array<ArrayBuffer>,
  type: string,
  signer: Signer,
  { ingredient, thumbnail, assertions = [], isCompressed = false, remote }: SigningOptions = {},
): Promise<SignedPicture> {
  c2paLibrary();
  const action = {
    action: "c2pa.created",
    digitalSourceType: "http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture",
  };
  const definition = {
    claim_generator_info: [{ name: "Colophon tests", version: "1" }],
    title: "harbour.jpg",
    ...(remote && { label: remote.label }),
    assertions: [{ label: "c2pa.actions", data: { actions: [action] } }, ...assertions],
  };
  const settings = {
    verify: { remote_manifest_fetch: false, ocsp_fetch: false, verify_after_sign: false },
    core: { prefer_compress_manifests: isCompressed },
  };
  const builder = library.WasmBuilder.fromJson(JSON.stringify(definition), JSON.stringify(settings));
  if (remote !== undefined) {
    builder.setRemoteUrl(remote.url);
    builder.setNoEmbed(true);
  }
  if (thumbnail !== undefined) builder.setThumbnailFromBlob(type, new ReadableBlob(thumbnail));
  if (ingredient !== undefined) {
    const about = JSON.stringify({ title: "taken.jpg", relationship: "componentOf" });
    await builder.addIngredientFromBlob(about, type, new ReadableBlob(ingredient));
  }
  const cose = {
    alg: "es256",
    reserveSize: RESERVED,
    sign: async (claim: Uint8Array) => coseSign1(claim, signer),
  };
  const signed: unknown = await builder.signAndGetManifestBytes(cose, [], type, new ReadableBlob(image));
  const { asset, manifest } = signed as Record<"asset" | "manifest", Uint8Array>;
  return { file: Uint8Array.from(asset), store: Uint8Array.from(manifest) };
}

/** The library reads blobs as a browser's worker does, at once. */
class ReadableBlob extends Blob {
  readonly content: Uint8Array<ArrayBuffer>;

  constructor(content: Uint8Array<ArrayBuffer>) {
    super([content]);
    this.content = content;
  }

  override slice(start?: number, end?: number): ReadableBlob {
    return new ReadableBlob(this.content.slice(start, end));
  }
}

class BlobReader {
  readAsArrayBuffer({ content }: ReadableBlob): ArrayBuffer {
    return Uint8Array.from(content).buffer;
  }
}

/** The library, loaded. */
export function c2paLibrary(): C2paLibrary {
  const file = createRequire(import.meta.url).resolve("@contentauth/c2pa-wasm/c2pa.wasm");
  Object.assign(globalThis, { FileReaderSync: BlobReader });
  library.initSync({ module: readFileSync(file) });
  return library;
}

/** COSE_Sign1 (RFC 9052) by ES256 over a detached payload, its chain in the protected header. */
function coseSign1(payload: Uint8Array, { certificate, key }: Signer): Uint8Array<ArrayBuffer> {
  const chain = item(4, 1, bytes(fromPem(certificate)));
  // {1 (alg): -7 (ES256), 33 (x5chain): [leaf]}
  const header = bytes(concat(Uint8Array.of(0xa2, 0x01, 0x26, 0x18, 0x21), chain));
  const toSign = item(4, 4, text("Signature1"), header, bytes(new Uint8Array()), bytes(payload));
  const signature = sign("sha256", toSign, { key, dsaEncoding: "ieee-p1363" });
  const padded = (padding: Uint8Array): Uint8Array<ArrayBuffer> => {
    const unprotected = item(5, 1, text("pad"), bytes(padding));
    return concat(
      Uint8Array.of(0xd2),
      item(4, 4, header, unprotected, Uint8Array.of(0xf6), bytes(signature)),
    );
  };
  // The place of the signature is kept before it is made, and must be filled: a longer padding has the same header.
  const short = padded(new Uint8Array(PADDING));
  return padded(new Uint8Array(PADDING + RESERVED - short.length));
}

function bytes(value: Uint8Array): Uint8Array {
  return item(2, value.length, value);
}

function text(value: string): Uint8Array {
  return item(3, value.length, toUtf8(value));
}

/** A CBOR item of a major type, with what its count counts. */
function item(major: number, count: number, ...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  if (count < 24) return concat(Uint8Array.of((major << 5) | count), ...parts);
  if (count < 0x1_0000) return concat(Uint8Array.of((major << 5) | 25), uint16(count), ...parts);
  return concat(Uint8Array.of((major << 5) | 26), uint32(count), ...parts);
}
