import { spawn } from "node:child_process";
import { createPrivateKey, sign, webcrypto } from "node:crypto";
import { once } from "node:events";
import { mkdir, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { AccountStats } from "@colophon/contract";
import {
  blake3,
  blake3Hex,
  collectionPreimage,
  fromHex,
  manifestPreimage,
  parseRecord,
  type PublishedRecord,
  readCertificate,
  recordTexts,
  storedBytes,
  toPem,
  verdictOf,
  verifyRecord,
} from "@colophon/formats";
import { createAccount, type TestAccount } from "@colophon/testing/api-client.ts";
import { programFile } from "@colophon/testing/process/programs.ts";
import { SequenceClient } from "@colophon/testing/sequence-client.ts";
import { RawConnection } from "@colophon/testing/raw-connection.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  distinguishedName,
  encodeCertificate,
  encodeTbsCertificate,
} from "../../engine/src/signing/encode-certificate.ts";
import {
  adminTokenInFile,
  adminTokenPath,
  existingKeyEncryptionKey,
  keepAdminToken,
  keyInFile,
  nextKeyEncryptionKey,
} from "../src/config/secret-files.ts";
import { settleOperatorToken } from "../src/keys/operator-token.ts";
import { resealKeys } from "../src/keys/rotate.ts";
import { type RotatedKey, runKeyRotation } from "../src/keys/run-key-rotation.ts";
import { Vault } from "../src/keys/vault.ts";
import { openedSequence, wholeChain } from "./support/sequence-service.ts";
import { picture } from "@colophon/testing/test-pictures.ts";
import { jsonManifest, SlotService } from "./support/slot-service.ts";

const COLOPHON = await programFile("colophon");
const CREDIT = jsonManifest("credit", '{"by": 1}');

/** What an account may hold in memory while it is alone, MiB: half of all. */
const ROOM = 64;

let service: SlotService;
let account: TestAccount;
let images: SequenceClient;
let trustRoot: string;

beforeAll(async () => {
  service = await SlotService.start({ COLOPHON_BODY_MEMORY_BYTES: String(2 * ROOM * 1_048_576) });
  account = await createAccount(service.baseUrl(), service.adminToken, {
    sequencesEnabled: true,
    registrations: 100,
    lookups: 1000,
  });
  images = new SequenceClient(service.baseUrl(), account.token);
  const chain = await service.database.selectFrom("trustChain").selectAll().executeTakeFirstOrThrow();
  trustRoot = toPem(chain.rootCertificate);
});
afterAll(() => service[Symbol.asyncDispose]());

/** A picture, and what registering it alone answered. */
async function registered(
  seed: number,
  manifests = [CREDIT],
): Promise<{ image: Uint8Array; hash: string; engineRecord: string }> {
  const image = await picture(seed);
  const { status, body } = await images.register(image, manifests);
  expect(status).toBe(200);
  return { image, hash: body.originalImageHash, engineRecord: body.engineRecord };
}

async function stats(): Promise<AccountStats> {
  return (await images.call<AccountStats>("GET", "/account/stats")).body;
}

async function recordText(hash: string): Promise<string> {
  const headers = { authorization: `Bearer ${account.token}` };
  return (await fetch(`${service.baseUrl()}/records/${hash}`, { headers })).text();
}

async function recordOf(hash: string): Promise<PublishedRecord> {
  return parseRecord(await recordText(hash));
}

/** What a reader with the service's clock and root makes of the record, and the checks that did not pass. */
function judged(record: PublishedRecord, originalBytes?: Uint8Array): { verdict: string; not: string[] } {
  const original = originalBytes === undefined ? {} : { originalBytes };
  const checks = verifyRecord(record, { trustRoot, at: new Date(), ...original });
  const not = checks.filter(({ name, result }) => result !== "passed" && name !== "originalFile");
  return { verdict: verdictOf(checks), not: not.map(({ name }) => name) };
}

describe("a record is named by its certificate to the millisecond", () => {
  it("of an image registered alone, with manifests and without", async () => {
    for (const [seed, manifests] of [
      [1, [CREDIT]],
      [2, []],
    ] as const) {
      const { image, hash, engineRecord } = await registered(seed, [...manifests]);
      const record = await recordOf(hash);
      const not = manifests.length === 0 ? ["collectionSignature"] : [];
      expect(judged(record, image)).toEqual({ verdict: "verified", not });
      const provenance = JSON.parse(Buffer.from(engineRecord.split(".")[1] ?? "", "base64url").toString());
      expect(provenance.signedAt).toBe(record.verification?.signedAtUtc);
    }
  });

  it("of every image of a slot, asked for one by one or together", async () => {
    const slots = service.clientOf(account);
    const { slotId } = (await slots.openSlot()).body;
    const bytes = await Promise.all([3, 4, 5, 6].map(picture));
    await slots.upload(
      slotId,
      bytes.map((image, at) => ({ bytes: image, manifests: at === 0 ? [] : [CREDIT] })),
    );
    expect((await slots.commit(slotId)).body.entries.map(({ state }) => state)).toEqual(
      bytes.map(() => "registered"),
    );
    const response = await fetch(`${service.baseUrl()}/records`, {
      method: "POST",
      headers: { authorization: `Bearer ${account.token}`, "content-type": "application/json" },
      body: JSON.stringify({ originalImageHashes: bytes.map(blake3Hex) }),
    });
    const texts = recordTexts(await response.text());
    for (const [at, image] of bytes.entries()) {
      const record = parseRecord(texts[at] ?? "");
      expect(judged(record, image).verdict).toBe("verified");
      expect(await recordOf(blake3Hex(image))).toEqual(record);
    }
  });

  it("of every frame of a sequence, with the sequence's manifests", async () => {
    const sequence = (await images.openSequence({ manifests: [CREDIT, jsonManifest("rights", "{}")] })).body;
    await images.admit(sequence, await wholeChain(sequence, [7, 8, 9]));
    const { body } = await images.commit(sequence);
    expect(body.outcome).toBe("registered");
    const bare = await openedSequence(images);
    await images.admit(bare, await wholeChain(bare, [10]));
    expect((await images.commit(bare)).body.outcome).toBe("registered");
    for (const seed of [7, 8, 9, 10]) {
      const image = await picture(seed);
      const record = await recordOf(blake3Hex(image));
      expect(record.manifests).toHaveLength(seed === 10 ? 0 : 2);
      expect(judged(record, image).verdict).toBe("verified");
    }
  });
});

describe("a record that was changed on the way", () => {
  let sound: PublishedRecord;
  beforeAll(async () => {
    sound = await recordOf((await registered(11)).hash);
  });
  const withVerification = (changes: object): PublishedRecord => ({
    ...sound,
    verification: { ...sound.verification!, ...changes },
  });
  const moved = (ms: number): PublishedRecord =>
    withVerification({
      signedAtUtc: new Date(Date.parse(sound.verification!.signedAtUtc) + ms).toISOString(),
    });

  it("by taking its manifests away fails", () => {
    const stripped = { ...withVerification({ collectionSignature: null }), manifests: [] };
    expect(judged(stripped)).toEqual({ verdict: "failed", not: ["collectionSignature", "recordDigest"] });
  });

  it("by moving its time fails, by a millisecond as by twenty years", () => {
    expect(judged(moved(-1)).verdict).toBe("failed");
    expect(judged(moved(-1000)).not).toEqual(["recordDigest", "leafPeriod"]);
    const decades = judged(moved((20 * 365 - 1) * 86_400_000));
    expect(decades.not).toEqual(["recordDigest", "leafPeriod", "certificateValidity", "signingTime"]);
  });

  it("by another trust context fails", () => {
    expect(judged(withVerification({ trustContext: "another.example" }))).toEqual({
      verdict: "failed",
      not: ["trustContext"],
    });
  });
});

async function fsck(): Promise<readonly string[]> {
  return (await service.fsck({ atRest: true, signatures: true })).map(({ what }) => what);
}

describe("fsck with signatures", () => {
  it("finds every stored record sound", async () => {
    expect(await fsck()).toEqual([]);
  });

  it("finds a stored time that was moved", async () => {
    const { hash } = await registered(12);
    const move = (ms: number): Promise<unknown> =>
      sql`update record set signed_at = signed_at + ${ms} * interval '1 ms' from original
        where original.image_no = record.image_no and original_image_hash = ${Buffer.from(hash, "hex")}`.execute(
        service.database,
      );
    await move(1);
    expect(await fsck()).toEqual([
      `${hash}: The leaf certificate does not name this record: its manifests, its image or its time are not what was signed.`,
    ]);
    await move(-1);
    expect(await fsck()).toEqual([]);
  });

  it("finds manifests that are gone", async () => {
    const { hash } = await registered(13);
    const { imageNo } = await service.database
      .selectFrom("original")
      .select("imageNo")
      .where("originalImageHash", "=", Buffer.from(hash, "hex"))
      .executeTakeFirstOrThrow();
    await sql`delete from manifest where image_no = ${imageNo}`.execute(service.database);
    await sql`update record set collection_signature = null where image_no = ${imageNo}`.execute(
      service.database,
    );
    expect(await fsck()).toEqual([expect.stringContaining(`${hash}: The leaf certificate does not name`)]);
    const { registrationId } = await service.database
      .selectFrom("registration")
      .select("registrationId")
      .where("imageNo", "=", imageNo)
      .executeTakeFirstOrThrow();
    expect((await images.takeDown(registrationId)).status).toBe(204);
    expect(await fsck()).toEqual([]);
  });
});

/**
 * Stores the record of a published image as an earlier build signed it: under a leaf that names nothing and lives long.
 */
async function signedAsBefore(hash: string): Promise<void> {
  const { database, dataDir } = service;
  const chain = await database.selectFrom("trustChain").selectAll().executeTakeFirstOrThrow();
  const vault = new Vault(await existingKeyEncryptionKey(dataDir));
  const intermediateKey = createPrivateKey({
    key: vault.open(chain.sealedIntermediateKey, "intermediate"),
    format: "der",
    type: "pkcs8",
  });
  const intermediate = readCertificate(chain.intermediateCertificate);
  const pair = await webcrypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  if (!("privateKey" in pair)) throw new TypeError("expected a key pair");
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", pair.privateKey));
  const key = createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" });
  const publicKey = Buffer.from(await webcrypto.subtle.exportKey("raw", pair.publicKey));
  const tbs = encodeTbsCertificate({
    serialNumber: webcrypto.getRandomValues(new Uint8Array(16)),
    issuer: intermediate.subject,
    issuerKey: intermediate.publicKey,
    subject: distinguishedName(chain.trustContext, "Registrant"),
    publicKey,
    notBefore: new Date(Date.now() - 300_000),
    notAfter: intermediate.notAfter,
    authorityPathLength: null,
    subjectAltName: null,
  });
  const leaf = encodeCertificate(tbs, sign(null, tbs, intermediateKey));
  const contentHash = fromHex(hash);
  const record = await recordOf(hash);
  const manifests = (record.manifests ?? []).map(({ type, form, payload }) => ({
    kind: type,
    hash: blake3(storedBytes(form, type, payload)),
  }));
  const { imageNo } = await database
    .selectFrom("original")
    .select("imageNo")
    .where("originalImageHash", "=", Buffer.from(hash, "hex"))
    .executeTakeFirstOrThrow();
  await database
    .updateTable("record")
    .set({
      signature: sign(null, contentHash, key),
      leafCertificate: Buffer.from(leaf),
      collectionSignature:
        manifests.length === 0 ? null : sign(null, collectionPreimage(2, contentHash, manifests), key),
    })
    .where("imageNo", "=", imageNo)
    .execute();
  for (const [position, manifest] of manifests.entries()) {
    await database
      .updateTable("manifest")
      .set({ signature: sign(null, manifestPreimage(2, contentHash, manifest), key) })
      .where("imageNo", "=", imageNo)
      .where("position", "=", position)
      .execute();
  }
}

describe("a record that an earlier build signed", () => {
  it("is verified with its manifests, of its image only without any, and is no breach", async () => {
    const [withManifest, bare] = [await registered(14), await registered(15, [])];
    for (const { hash } of [withManifest, bare]) await signedAsBefore(hash);
    expect(judged(await recordOf(withManifest.hash), withManifest.image)).toEqual({
      verdict: "verified",
      not: ["recordDigest", "leafPeriod"],
    });
    expect(judged(await recordOf(bare.hash), bare.image)).toEqual({
      verdict: "imageOnly",
      not: ["collectionSignature", "recordDigest", "leafPeriod"],
    });
    expect(await fsck()).toEqual([]);
  });
});

async function rotated(key: RotatedKey): Promise<{ code: number; out: string }> {
  const environment = { COLOPHON_DATA_DIR: service.dataDir };
  let out = "";
  const code = await runKeyRotation(environment, key, null, { write: (text) => (out += text) });
  return { code, out };
}

const rotate = async (key: RotatedKey): Promise<number> => (await rotated(key)).code;

/** Names of the files that hold the token or a key-encryption key, or are to take the place of one. */
async function secretFiles(): Promise<string[]> {
  const names = await readdir(service.dataDir);
  return names.filter((name) => /^(admin-token|key-encryption-key)/.test(name)).toSorted();
}

/** The key-encryption keys from before that are kept in the data directory, by their time. */
async function keptKeys(): Promise<Buffer[]> {
  const names = (await secretFiles()).filter((name) => name.includes(".before-"));
  return Promise.all(names.map((name) => keyInFile(join(service.dataDir, name))));
}

/** Rotates a key by the command, whose files stay empty: what is written into one fails as on a full disk. */
async function rotateWithoutRoom(key: string): Promise<{ code: number | null; out: string }> {
  const command = spawn(
    "sh",
    ["-c", 'ulimit -f 0; exec "$0" "$@"', process.execPath, COLOPHON, "key", "rotate", key],
    {
      env: { ...process.env, COLOPHON_DATA_DIR: service.dataDir },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const [out] = await Promise.all([buffer(command.stdout), once(command, "close")]);
  return { code: command.exitCode, out: out.toString() };
}

async function restart(): Promise<void> {
  await service.stop();
  await service.startProcess();
  images = new SequenceClient(service.baseUrl(), account.token);
}

describe("records of many megabytes", () => {
  const REPEATS = 6;
  let hash: string;

  beforeAll(async () => {
    const text = JSON.stringify({ note: "n".repeat(1_048_000) });
    const manifests = Array.from({ length: 16 }, (_, at) => jsonManifest(`note-${at}`, text));
    hash = (await registered(31, manifests)).hash;
  });

  it("are answered as far as one answer goes, and charged as far, however often one is asked for", async () => {
    const { consumed } = (await stats()).lookups;
    const asked = { originalImageHashes: Array.from({ length: REPEATS }, () => hash) };
    const { status, body } = await images.call<{ records: PublishedRecord[] }>("POST", "/records", asked);
    expect(status).toBe(200);
    const outcomes = body.records.map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["published", "published", "published", "published", "retry", "retry"]);
    expect((await stats()).lookups.consumed).toBe(consumed + 4);
  });

  it("count while they wait for their readers, and are refused where there is no room for them", async () => {
    const { consumed } = (await stats()).lookups;
    const request = [
      `GET /records/${hash} HTTP/1.1`,
      "Host: registry",
      `Authorization: Bearer ${account.token}`,
    ];
    using readers = new DisposableStack();
    for (let reader = 0; reader < ROOM / 16; reader += 1) {
      const connection = readers.use(await RawConnection.open(service.baseUrl()));
      connection.socket.pause();
      connection.write(`${request.join("\r\n")}\r\n\r\n`);
    }
    await expect.poll(async () => (await stats()).lookups.consumed).toBe(consumed + ROOM / 16);
    const refused = await images.call<object>("GET", `/records/${hash}`);
    expect([refused.status, refused.headers.has("retry-after")]).toEqual([503, true]);
    expect((await stats()).lookups.consumed).toBe(consumed + ROOM / 16);
    readers.dispose();
    await expect.poll(async () => (await images.call("GET", `/records/${hash}`)).status).toBe(200);
  });
});

describe("keys that are rotated while the service runs", () => {
  it("leave earlier records as they were, and sign new ones under the same root", async () => {
    const earlier = (await registered(61)).hash;
    expect(await rotate("intermediate")).toBe(0);
    const meanwhile = (await registered(62)).hash;
    await restart();
    const later = (await registered(63)).hash;
    const records = await Promise.all([earlier, meanwhile, later].map(recordOf));
    const versions = records.map(({ verification }) => verification?.trustVersion);
    expect(versions).toEqual([1, 1, 2]);
    for (const record of records) expect(verdictOf(verifyRecord(record, { trustRoot }))).toBe("verified");
    const chains = records.map(({ verification }) => verification?.certificateChain);
    expect(chains[1]).toEqual(chains[0]);
    expect(chains[2]?.[0]).not.toBe(chains[0]?.[0]);
    expect(chains[2]?.[1]).toBe(chains[0]?.[1]);
    expect(await fsck()).toEqual([]);
  });

  it("have one operator's token for all processes, which another one replaces at once", async () => {
    const opens = async (token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${service.baseUrl()}/admin/accounts`, { headers })).status;
    };
    expect(await opens(service.adminToken)).toBe(200);
    expect(await rotate("operator-token")).toBe(0);
    expect(await opens(service.adminToken)).toBe(401);
    const token = (await adminTokenInFile(service.dataDir)) ?? "";
    expect(await opens(token)).toBe(200);
    const vault = new Vault(await existingKeyEncryptionKey(service.dataDir));
    const dataDir = join(service.dataDir, "second-process");
    const second = { database: service.database, vault, dataDir };
    await keepAdminToken(dataDir, "cla_of-a-process-from-before");
    await settleOperatorToken(second, null);
    expect(await adminTokenInFile(dataDir)).toBe(token);
    await settleOperatorToken(second, service.adminToken);
    expect([await opens(token), await opens(service.adminToken)]).toEqual([401, 200]);
  });

  it("are as they were where there is no room for another, down to the files", async () => {
    const files = await secretFiles();
    const token = await adminTokenInFile(service.dataDir);
    for (const key of ["operator-token", "encryption-key"]) {
      const { code, out } = await rotateWithoutRoom(key);
      expect({ code, out }).toEqual({ code: 1, out: expect.stringMatching(/^No key was rotated: EFBIG/) });
    }
    const headers = { authorization: `Bearer ${service.adminToken}` };
    expect((await fetch(`${service.baseUrl()}/admin/accounts`, { headers })).status).toBe(200);
    expect(await secretFiles()).toEqual(files);
    expect(await adminTokenInFile(service.dataDir)).toBe(token);
  });

  it("say which file is left to move where another is accepted and cannot have its place", async () => {
    const path = adminTokenPath(service.dataDir);
    await rm(path);
    await mkdir(path);
    const { code, out } = await rotated("operator-token");
    const left =
      /^It is done but for one file: (\S+) could not be moved to (\S+) \(EISDIR\): move it there\.\n$/.exec(
        out,
      );
    const draft = left?.[1] ?? "";
    expect([code, left?.[2]]).toEqual([1, path]);
    await rmdir(path);
    await rename(draft, path);
    const token = await adminTokenInFile(service.dataDir);
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${service.baseUrl()}/admin/accounts`, { headers })).status).toBe(200);
    const vault = new Vault(await existingKeyEncryptionKey(service.dataDir));
    const { database, dataDir, adminToken } = service;
    await settleOperatorToken({ database, vault, dataDir }, adminToken);
  });

  it("are as they were where the database does not take another, down to the files", async () => {
    const files = await secretFiles();
    const token = await adminTokenInFile(service.dataDir);
    await sql`alter table sealed_key add constraint no_more check (false) not valid`.execute(
      service.database,
    );
    expect(await rotate("operator-token")).toBe(1);
    await sql`alter table sealed_key drop constraint no_more`.execute(service.database);
    expect(await secretFiles()).toEqual(files);
    expect(await adminTokenInFile(service.dataDir)).toBe(token);
  });

  it("open under the next key-encryption key alone, also when the command was killed before its last step", async () => {
    const before = await existingKeyEncryptionKey(service.dataDir);
    const next = await nextKeyEncryptionKey(service.dataDir);
    await resealKeys(service.database, new Vault(before), new Vault(next));
    await service.stop();
    await expect(service.startProcess()).rejects.toThrow("does not open the keys of this database");
    expect(await rotate("encryption-key")).toBe(0);
    expect(await existingKeyEncryptionKey(service.dataDir)).toEqual(next);
    expect(await keptKeys()).toEqual([before]);
    await service.startProcess();
    const { code, out } = await rotated("encryption-key");
    expect([code, await keptKeys()]).toEqual([0, [before, next]]);
    const kept = /^The old key is in (\S+): backups that were made without a passphrase need it\.$/m.exec(
      out,
    );
    expect((await stat(kept?.[1] ?? "")).mode & 0o777).toBe(0o600);
    expect(await existingKeyEncryptionKey(service.dataDir)).not.toEqual(next);
    await restart();
    await registered(64);
    expect(await fsck()).toEqual([]);
  });
});
