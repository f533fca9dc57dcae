import { X509Certificate } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jsonOf } from "./support/answer.ts";
import { type Caller, newAccount } from "./support/caller.ts";
import { type Deployment, deploymentUnderTest } from "./support/deployment.ts";
import { MALFORMED, problem, quotaExceeded, refusalIn } from "./support/problem.ts";
import { blake3Hex, freshPicture } from "./support/pictures.ts";
import {
  certificatesHold,
  certificatesName,
  jsonManifestHash,
  type PublishedRecord,
  signaturesHold,
} from "./support/verify-record.ts";

const HASH = expect.stringMatching(/^[0-9a-f]{64}$/);
const SIGNATURE = expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/);
const PEM = expect.stringMatching(
  /^-----BEGIN CERTIFICATE-----\n[A-Za-z0-9+/=\n]+-----END CERTIFICATE-----\n?$/,
);
const UNKNOWN = blake3Hex(Buffer.from("nobody registered this"));
const POSTED = '{ "creator" : "A. Person", "n": 1.0 }';

let deployment: Deployment;
let owner: Caller;
let stranger: Caller;
let published: string;
let takenDown: string;

beforeAll(async () => {
  deployment = await deploymentUnderTest();
  owner = (await newAccount(deployment)).caller;
  stranger = (await newAccount(deployment)).caller;
  const manifests = [
    { name: "manifest[attribution]", type: "application/json", body: POSTED },
    { name: "manifest[other]", type: "application/json", body: "{}" },
  ];
  const kept = jsonOf<{ originalImageHash: string }>(await owner.register(await freshPicture(), manifests));
  const dropped = jsonOf<{ id: string; originalImageHash: string }>(
    await owner.register(await freshPicture()),
  );
  await owner.delete(`/registrations/${dropped.id}`);
  published = kept.originalImageHash;
  takenDown = dropped.originalImageHash;
});
afterAll(() => deployment[Symbol.asyncDispose]());

async function lookupsSpent(by: Caller): Promise<number> {
  return jsonOf<{ lookups: { consumed: number } }>(await by.get("/account/stats")).lookups.consumed;
}

/** What is spent by a call, in look-ups. */
async function costOf(by: Caller, call: () => Promise<unknown>): Promise<number> {
  const before = await lookupsSpent(by);
  await call();
  return (await lookupsSpent(by)) - before;
}

const list = (...originalImageHashes: readonly unknown[]): { originalImageHashes: readonly unknown[] } => ({
  originalImageHashes,
});

describe("GET /records/{originalImageHash}", () => {
  test("gives a published record to anybody, every member of it", async () => {
    const record = jsonOf<PublishedRecord>(await stranger.get(`/records/${published}`));
    expect(record).toEqual({
      originalImageHash: published,
      outcome: "published",
      manifests: [
        {
          type: "attribution",
          form: "json",
          payload: { creator: "A. Person", n: 1 },
          hash: jsonManifestHash("attribution", POSTED),
          signature: SIGNATURE,
        },
        {
          type: "other",
          form: "json",
          payload: {},
          hash: jsonManifestHash("other", "{}"),
          signature: SIGNATURE,
        },
      ],
      verification: {
        contentHash: published,
        hashAlgorithm: "BLAKE3-256",
        signedAtUtc: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
        signature: SIGNATURE,
        signatureAlgorithm: "Ed25519",
        publicKey: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
        leafCertificate: PEM,
        certificateChain: [PEM, PEM],
        leafCertificateThumbprint: HASH,
        trustContext: expect.stringMatching(/./),
        trustVersion: 1,
        canonicalVersion: 2,
        collectionSignature: SIGNATURE,
      },
    });
  });

  test("can be verified with nothing of the service", async () => {
    const record = jsonOf<PublishedRecord>(await stranger.get(`/records/${published}`));
    expect(signaturesHold(record)).toEqual({ image: true, manifests: true, collection: true });
    expect(certificatesHold(record)).toEqual({
      key: true,
      chain: true,
      authorities: true,
      root: true,
      validity: true,
      thumbprint: true,
    });
    const altered = { ...record, manifests: record.manifests.toReversed() };
    expect(signaturesHold(altered)).toEqual({ image: true, manifests: true, collection: false });
  });

  test("is named by its certificate, which bears its time", async () => {
    const record = jsonOf<PublishedRecord>(await stranger.get(`/records/${published}`));
    const holds = { record: true, from: true, until: true, organization: true };
    expect(certificatesName(record)).toEqual(holds);
    const stripped = { ...record, manifests: [] };
    expect(certificatesName(stripped)).toEqual({ ...holds, record: false });
    const signedAtUtc = new Date(Date.parse(record.verification.signedAtUtc) + 1000).toISOString();
    const moved = { ...record, verification: { ...record.verification, signedAtUtc } };
    expect(certificatesName(moved)).toEqual({ ...holds, record: false, from: false, until: false });
  });

  test("names nobody: leaves share a subject and nothing else", async () => {
    const answer = await stranger.register(await freshPicture());
    const { originalImageHash } = jsonOf<{ originalImageHash: string }>(answer);
    const records = [published, originalImageHash].map(async (hash) =>
      jsonOf<PublishedRecord>(await stranger.get(`/records/${hash}`)),
    );
    const [one, two] = await Promise.all(records);
    const leaves = [one, two].map(
      (record) => new X509Certificate(record?.verification.leafCertificate ?? ""),
    );
    expect(leaves[0]?.subject).toBe(leaves[1]?.subject);
    expect(leaves[0]?.serialNumber).not.toBe(leaves[1]?.serialNumber);
    expect(one?.verification.publicKey).not.toBe(two?.verification.publicKey);
    expect(one?.verification.certificateChain).toEqual(two?.verification.certificateChain);
  });

  test("answers what was taken down, and what nobody published", async () => {
    const nothing = { manifests: null, verification: null };
    expect(jsonOf(await stranger.get(`/records/${takenDown}`))).toEqual({
      originalImageHash: takenDown,
      outcome: "takenDown",
      ...nothing,
    });
    expect(jsonOf(await stranger.get(`/records/${UNKNOWN}`))).toEqual({
      originalImageHash: UNKNOWN,
      outcome: "noRecordAnswered",
      ...nothing,
    });
  });

  test("spends a look-up on what was published, taken down or not, and on nothing else", async () => {
    expect(await costOf(stranger, () => stranger.get(`/records/${published}`))).toBe(1);
    expect(await costOf(stranger, () => stranger.get(`/records/${takenDown}`))).toBe(1);
    expect(await costOf(stranger, () => stranger.get(`/records/${UNKNOWN}`))).toBe(0);
    expect(await costOf(stranger, () => stranger.get("/records/nonsense"))).toBe(0);
  });

  test("is published again when the image is registered again", async () => {
    const picture = await freshPicture();
    const first = jsonOf<{ id: string; originalImageHash: string }>(await owner.register(picture));
    await owner.delete(`/registrations/${first.id}`);
    expect(jsonOf(await stranger.get(`/records/${first.originalImageHash}`))).toMatchObject({
      outcome: "takenDown",
    });
    await stranger.register(picture);
    const again = jsonOf<PublishedRecord>(await stranger.get(`/records/${first.originalImageHash}`));
    expect(again).toMatchObject({ outcome: "published", manifests: [] });
    expect(certificatesName(again)).toMatchObject({ record: true });
    expect(signaturesHold(again)).toMatchObject({ image: true });
  });

  test.each([
    "nonsense",
    UNKNOWN.toUpperCase(),
    UNKNOWN.slice(1),
    `${UNKNOWN}0`,
    `g${UNKNOWN.slice(1)}`,
    "%00",
  ])("refuses %s as no hash", async (path) => {
    expect(refusalIn(await stranger.get(`/records/${path}`))).toEqual(
      problem({ status: 400, title: "Invalid declared hash", condition: "invalid-declared-hash" }),
    );
  });

  test("refuses what the grant does not cover", async () => {
    const { caller: poor } = await newAccount(deployment, { registrations: 2, lookups: 0 });
    for (const hash of [published, UNKNOWN]) {
      expect(refusalIn(await poor.get(`/records/${hash}`))).toEqual(problem(quotaExceeded(2, 0)));
    }
  });
});

describe("POST /records", () => {
  test("answers every hash in the order asked, repeated or malformed", async () => {
    const asked = [takenDown, "nonsense", published, UNKNOWN, published, published.toUpperCase(), ""];
    const answer = await stranger.json("POST", "/records", list(...asked));
    const { records } = jsonOf<{ records: (PublishedRecord & { failureReason: string | null })[] }>(answer);
    expect(records.map(({ originalImageHash }) => originalImageHash)).toEqual(asked);
    expect(records.map(({ outcome }) => outcome)).toEqual([
      "takenDown",
      "refused",
      "published",
      "noRecordAnswered",
      "published",
      "refused",
      "refused",
    ]);
    for (const { outcome, manifests, verification, failureReason, ...rest } of records) {
      expect(Object.keys(rest)).toEqual(["originalImageHash"]);
      expect([manifests !== null, verification !== null]).toEqual([1, 2].map(() => outcome === "published"));
      expect(failureReason ?? "None.").toMatch(outcome === "refused" ? /^This .*\.$/ : /^None\.$/);
    }
    expect(records.filter(({ outcome }) => outcome === "published").map(signaturesHold)).toEqual(
      [1, 2].map(() => ({ image: true, manifests: true, collection: true })),
    );
  });

  test("inlines what was posted byte for byte", async () => {
    const { text } = await stranger.json("POST", "/records", list(published, published));
    expect(text.split(`"payload":${POSTED},`)).toHaveLength(3);
  });

  test("spends a look-up for each hash published or taken down, as often as asked", async () => {
    const asked = list(published, published, takenDown, UNKNOWN, "nonsense");
    expect(await costOf(stranger, () => stranger.json("POST", "/records", asked))).toBe(3);
  });

  test("reserves for all it will look for, or refuses", async () => {
    const { caller: poor } = await newAccount(deployment, { registrations: 4, lookups: 2 });
    const three = list(published, UNKNOWN, UNKNOWN);
    expect(refusalIn(await poor.json("POST", "/records", three))).toEqual(problem(quotaExceeded(4, 2)));
    expect(
      await costOf(poor, () => poor.json("POST", "/records", list(published, UNKNOWN, "nonsense"))),
    ).toBe(1);
    const { caller: penniless } = await newAccount(deployment, { registrations: 0, lookups: 0 });
    expect((await penniless.json("POST", "/records", list("nonsense"))).status).toBe(200);
  });

  test.each([
    ["no body", undefined],
    ["no JSON", "nonsense"],
    ["a list", "[]"],
    ["null", "null"],
    ["no list of hashes", "{}"],
    ["null for the list", '{"originalImageHashes":null}'],
    ["a hash for the list", `{"originalImageHashes":"${UNKNOWN}"}`],
    ["no hash", '{"originalImageHashes":[]}'],
    ["a number among the hashes", '{"originalImageHashes":[1]}'],
    ["another field", `{"originalImageHashes":["${UNKNOWN}"],"limit":1}`],
    ["invalid UTF-8", Uint8Array.from([0x7b, 0xff, 0x7d])],
  ])("refuses %s", async (_, body) => {
    const headers = { "content-type": "application/json" };
    const answer = await stranger.send("POST", "/records", body === undefined ? {} : { body, headers });
    expect(refusalIn(answer)).toEqual(problem(MALFORMED));
  });

  test("refuses a list past the cap, and takes one that reaches it", async () => {
    const many = Array.from({ length: 1000 }, (_, index) => blake3Hex(Buffer.from(`hash ${index}`)));
    const { records } = jsonOf<{ records: unknown[] }>(
      await (await newAccount(deployment)).caller.json("POST", "/records", list(...many)),
    );
    expect(records).toHaveLength(1000);
    expect(refusalIn(await stranger.json("POST", "/records", list(...many, UNKNOWN)))).toEqual(
      problem({ status: 400, title: "Too many declared hashes", condition: "too-many-declared-hashes" }),
    );
  });
});
