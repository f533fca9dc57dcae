import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { PublishedRecord, Verification } from "@colophon/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Desk } from "./support.ts";

const run = promisify(execFile);
const YEAR_MS = 365 * 86_400_000;

/** A record as it is read from its file, to be tampered with. */
type Published = Omit<PublishedRecord, "manifests" | "verification"> & {
  manifests: NonNullable<PublishedRecord["manifests"]>;
  verification: Verification;
};

interface Verdict {
  readonly verdict: string;
  readonly checks: readonly { name: string; index: number | null; result: string; sentence: string }[];
}

let desk: Desk;
let sound: Published;
/** The record of another picture, from the same service. */
let other: Published;
/** Compact, so that a record survives being read and printed again. */
const TEXTS = { credit: '{"creator":"Harbour Press"}', training: '{"use":"notAllowed"}' };

beforeAll(async () => {
  desk = await Desk.open();
  const pictures = await desk.paint("pictures", 2);
  for (const [kind, text] of Object.entries(TEXTS)) await writeFile(join(desk.home, `${kind}.json`), text);
  const manifests = Object.keys(TEXTS).flatMap((kind) => ["--manifest", `${kind}=${kind}.json`]);
  await desk.run(["register", "pictures", ...manifests]);
  const [first, second] = await Promise.all(
    pictures.map(
      async (picture): Promise<Published> => JSON.parse((await desk.run(["record", picture])).out),
    ),
  );
  if (first === undefined || second === undefined) throw new Error("There are no records.");
  // The earlier leaf is valid when the later record is signed, not the other way round.
  [other, sound] =
    first.verification.signedAtUtc < second.verification.signedAtUtc ? [first, second] : [second, first];
  await writeFile(join(desk.home, "root.pem"), sound.verification.certificateChain.at(-1) ?? "");
});

afterAll(async () => {
  await desk[Symbol.asyncDispose]();
});

/** What the command makes of a record: its exit code, and the checks that did not pass. */
async function verified(record: Published): Promise<{ code: number | null; verdict: string; not: string[] }> {
  await writeFile(join(desk.home, "judged.json"), JSON.stringify(record));
  const { code, out } = await desk.run(["verify", "judged.json", "--trust-root", "root.pem", "--json"]);
  const { verdict, checks }: Verdict = JSON.parse(out);
  const not = checks.filter(({ result, name }) => result !== "passed" && name !== "originalFile");
  return { code, verdict, not: not.map(({ name, index }) => (index === null ? name : `${name} ${index}`)) };
}

/** What openssl makes of one file. */
async function openssl(...args: string[]): Promise<boolean> {
  return run("openssl", args, { cwd: desk.home }).then(
    () => true,
    () => false,
  );
}

const prefixed = (bytes: Buffer): Buffer => Buffer.concat([uint16(bytes.length), bytes]);

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

/** What openssl makes of all that is signed in a record, over preimages built here by the contract's words. */
async function opensslTakes({ manifests, verification }: Published): Promise<boolean> {
  const { leafCertificate, certificateChain, canonicalVersion, signedAtUtc } = verification;
  const place = (name: string): string => join(desk.home, name);
  await writeFile(place("leaf.pem"), leafCertificate);
  await writeFile(place("chain.pem"), certificateChain.slice(0, -1).join("\n"));
  // RFC 8410: an Ed25519 key is its 32 bytes after this head.
  const key = Buffer.concat([
    Buffer.from("302a300506032b6570032100", "hex"),
    Buffer.from(verification.publicKey, "base64"),
  ]);
  await writeFile(place("key.der"), key);
  const contentHash = Buffer.from(verification.contentHash, "hex");
  const head = Buffer.concat([Buffer.of(canonicalVersion), prefixed(contentHash)]);
  const named = manifests.map(({ type, hash }) =>
    Buffer.concat([prefixed(Buffer.from(type)), prefixed(Buffer.from(hash ?? "", "hex"))]),
  );
  const collection: [Buffer, string | null] = [
    Buffer.concat([head, uint16(manifests.length), ...named]),
    verification.collectionSignature,
  ];
  const signatures: [Buffer, string | null][] = [
    [contentHash, verification.signature],
    ...manifests.map(({ signature }, at): [Buffer, string | null] => [
      Buffer.concat([head, named[at] ?? Buffer.alloc(0)]),
      signature,
    ]),
    ...(verification.collectionSignature === null ? [] : [collection]),
  ];
  for (const [preimage, signature] of signatures) {
    await writeFile(place("preimage.bin"), preimage);
    await writeFile(place("signature.bin"), Buffer.from(signature ?? "", "base64"));
    const input = ["-rawin", "-in", "preimage.bin", "-sigfile", "signature.bin"];
    const by = ["-pubin", "-keyform", "DER", "-inkey", "key.der"];
    if (!(await openssl("pkeyutl", "-verify", ...by, ...input))) return false;
  }
  const { stdout: leafKey } = await run("openssl", ["x509", "-in", "leaf.pem", "-pubkey", "-noout"], {
    cwd: desk.home,
  });
  const der = Buffer.from(leafKey.split("\n").slice(1, -2).join(""), "base64");
  const leafDer = Buffer.from(leafCertificate.split("\n").slice(1, -2).join(""), "base64");
  const thumbprint = createHash("sha256").update(leafDer).digest("hex");
  const time = String(Math.floor(Date.parse(signedAtUtc) / 1000));
  const [leafNames = "", leafSubject = ""] = await Promise.all(
    [
      ["-ext", "subjectAltName"],
      ["-subject", "-nameopt", "sep_multiline,sname"],
    ].map(
      async (asked) =>
        (await run("openssl", ["x509", "-in", "leaf.pem", "-noout", ...asked], { cwd: desk.home })).stdout,
    ),
  );
  const milliseconds = Buffer.alloc(8);
  milliseconds.writeBigUInt64BE(BigInt(Date.parse(signedAtUtc)));
  const stated = [Buffer.from("colophon record 1\0"), contentHash, head, uint16(manifests.length), ...named];
  const digest = createHash("sha256")
    .update(Buffer.concat([...stated, milliseconds]))
    .digest("base64url");
  return (
    der.equals(key) &&
    thumbprint === verification.leafCertificateThumbprint &&
    leafNames.includes(`URI:ni:///sha-256;${digest}\n`) &&
    leafSubject.includes(`O=${verification.trustContext}\n`) &&
    (await openssl("verify", "-attime", time, "-CAfile", "root.pem", "-untrusted", "chain.pem", "leaf.pem"))
  );
}

function flipped(base64: string | null): string {
  const bytes = Buffer.from(base64 ?? "", "base64");
  bytes[5] = (bytes[5] ?? 0) ^ 1;
  return bytes.toString("base64");
}

const withVerification = (changes: Partial<Verification>): Published => ({
  ...sound,
  verification: { ...sound.verification, ...changes },
});

const withFirst = (changes: Partial<Published["manifests"][number]>): Published => ({
  ...sound,
  manifests: sound.manifests.map((one, at) => (at === 0 ? { ...one, ...changes } : one)),
});

function withTimeMoved(ms: number): Published {
  return withVerification({
    signedAtUtc: new Date(Date.parse(sound.verification.signedAtUtc) + ms).toISOString(),
  });
}

/** A millisecond later, or earlier where later is the next second, in which the leaf's period ends. */
function millisecondWithinItsSecond(): 1 | -1 {
  return Date.parse(sound.verification.signedAtUtc) % 1000 === 999 ? -1 : 1;
}

/** Ways to tamper with what a record states, and the checks that have to tell. */
const TAMPERED: readonly [name: string, tamper: () => Published, not: readonly string[]][] = [
  [
    "a manifest's signature",
    () => withFirst({ signature: flipped(sound.manifests[0]?.signature ?? "") }),
    ["manifestSignature 0"],
  ],
  [
    "a manifest's hash",
    () => withFirst({ hash: other.originalImageHash }),
    ["manifestHash 0", "manifestSignature 0", "collectionSignature", "recordDigest"],
  ],
  [
    "a manifest's kind",
    () => withFirst({ type: "licence" }),
    ["manifestHash 0", "manifestSignature 0", "collectionSignature", "recordDigest"],
  ],
  [
    "the order of manifests",
    () => ({ ...sound, manifests: sound.manifests.toReversed() }),
    ["collectionSignature", "recordDigest"],
  ],
  [
    "a manifest left out",
    () => ({ ...sound, manifests: sound.manifests.slice(1) }),
    ["collectionSignature", "recordDigest"],
  ],
  [
    "all manifests, taken away",
    () => ({ ...withVerification({ collectionSignature: null }), manifests: [] }),
    ["collectionSignature", "recordDigest"],
  ],
  [
    "the image's signature",
    () => withVerification({ signature: flipped(sound.verification.signature) }),
    ["imageSignature"],
  ],
  [
    "the image",
    () => ({
      ...withVerification({ contentHash: other.originalImageHash }),
      originalImageHash: other.originalImageHash,
    }),
    ["imageSignature", "manifestSignature 0", "manifestSignature 1", "collectionSignature", "recordDigest"],
  ],
  [
    "the key",
    () => withVerification({ publicKey: other.verification.publicKey }),
    ["imageSignature", "manifestSignature 0", "manifestSignature 1", "collectionSignature", "leafKey"],
  ],
  ["the time, by a millisecond", () => withTimeMoved(millisecondWithinItsSecond()), ["recordDigest"]],
  ["the time, by a second", () => withTimeMoved(-1000), ["recordDigest", "leafPeriod"]],
  [
    "the time, by ten minutes",
    () => withTimeMoved(-600_000),
    ["recordDigest", "leafPeriod", "certificateValidity 0"],
  ],
  [
    "the time, by fourteen years",
    () => withTimeMoved(14 * YEAR_MS),
    ["recordDigest", "leafPeriod", "certificateValidity 0", "signingTime"],
  ],
  [
    "the time, to before the chain",
    () => withVerification({ signedAtUtc: "2020-01-01T00:00:00.000Z" }),
    ["recordDigest", "leafPeriod", "certificateValidity 0", "certificateValidity 1", "certificateValidity 2"],
  ],
  ["the trust context", () => withVerification({ trustContext: "another.example" }), ["trustContext"]],
];

describe("a record as the service published it", () => {
  it("is verified, where openssl agrees", async () => {
    expect(await verified(sound)).toEqual({ code: 0, verdict: "verified", not: [] });
    expect(await opensslTakes(sound)).toBe(true);
  });

  it("is read from a pipe too, which gives it once", async () => {
    const pipe = join(desk.home, "piped.json");
    await run("mkfifo", [pipe]);
    const verdict = desk.run(["verify", "piped.json", "--trust-root", "root.pem"]);
    await writeFile(pipe, JSON.stringify(sound));
    expect(await verdict).toMatchObject({ code: 0, err: "" });
  });
});

/** The second in which a record was signed. */
const secondOf = ({ verification }: Published): number =>
  Math.floor(Date.parse(verification.signedAtUtc) / 1000);

describe("a record that was tampered with", () => {
  it("in the leaf is not verified, nor its period if the other's was signed in another second", async () => {
    const record = withVerification({ leafCertificate: other.verification.leafCertificate });
    const period = secondOf(other) === secondOf(sound) ? [] : ["leafPeriod"];
    const not = ["leafThumbprint", "leafKey", "recordDigest", ...period];
    expect(await verified(record)).toEqual({ code: 5, verdict: "failed", not });
    expect(await opensslTakes(record)).toBe(false);
  });
  it.each(TAMPERED)("in %s is not verified, where openssl agrees", async (_name, tamper, not) => {
    expect(await verified(tamper())).toEqual({ code: 5, verdict: "failed", not });
    expect(await opensslTakes(tamper())).toBe(false);
  });

  it("in what a manifest says is not verified, though every signature still holds", async () => {
    const changed = withFirst({ payload: { creator: "Somebody else" } });
    expect(await verified(changed)).toEqual({ code: 5, verdict: "failed", not: ["manifestHash 0"] });
    expect(await opensslTakes(changed)).toBe(true);
  });

  it("by stripping what signs manifests is not verified", async () => {
    const stripped = {
      ...withVerification({ canonicalVersion: 1, collectionSignature: null }),
      manifests: sound.manifests.map((one) => ({ ...one, hash: null, signature: null })),
    };
    const absent = ["manifestHash 0", "manifestSignature 0", "manifestHash 1", "manifestSignature 1"];
    expect(await verified(stripped)).toEqual({
      code: 5,
      verdict: "failed",
      not: [...absent, "collectionSignature", "recordDigest"],
    });
    const { out } = await desk.run(["verify", "judged.json", "--trust-root", "root.pem"]);
    expect(out).toMatch(/absent +manifestSignature 1 +Nothing signs the manifest/);
    expect(out).toMatch(/failed +recordDigest +The leaf certificate does not name this record/);
    expect(out).toContain("Not verified.");
  });
});

describe("a record from before certificates named theirs", () => {
  const { trustRoot, records }: { trustRoot: string; records: { name: string; record: string }[] } =
    JSON.parse(readFileSync(new URL("../../../vectors/records.json", import.meta.url), "utf8"));

  async function judged(name: string): Promise<{ code: number | null; out: string }> {
    const record = records.find((one) => one.name === `from before: ${name}`)?.record ?? "";
    await writeFile(join(desk.home, "before.json"), record);
    await writeFile(join(desk.home, "before-root.pem"), trustRoot);
    return desk.run(["verify", "before.json", "--trust-root", "before-root.pem"]);
  }

  it("is verified with its manifests, and of its image only without any", async () => {
    const whole = await judged("two manifests");
    expect(whole.code).toBe(0);
    expect(whole.out).toMatch(/absent +recordDigest +The leaf certificate is from before/);
    expect(whole.out).toContain("\nVerified.\n");
    for (const name of ["no manifest", "manifests taken away"]) {
      const { code, out } = await judged(name);
      expect(code).toBe(5);
      expect(out).toContain("\nThe image is verified, its manifests are not");
    }
  });
});
