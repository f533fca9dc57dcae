import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jsonOf } from "./support/answer.ts";
import { type Caller, newAccount, type PostedManifest } from "./support/caller.ts";
import { type Deployment, deploymentUnderTest } from "./support/deployment.ts";
import { invalidManifest, problem, refusalIn } from "./support/problem.ts";
import { blake3Hex, freshPicture } from "./support/pictures.ts";
import { filePart, MULTIPART_TYPE, multipartBody } from "./support/raw.ts";

const NO_KIND = "Manifest part states no kind; name it manifest[<kind>].";
const BAD_KIND = "Manifest kind must be 1 to 64 characters of A-Z, a-z, 0-9, '.', '_' or '-'.";
const BAD_TYPE =
  "Manifest part declares an unsupported content type; it must be application/json, application/jumbf or application/c2pa.";
const BAD_FORM = "Manifest body does not match its stated form.";

/** A `jumb` superbox whose one child is a `jumd` box, with a payload behind it. */
const JUMBF = Uint8Array.from(
  Buffer.from(
    [
      "00000035 6a756d62",
      "00000021 6a756d64 6332706100110010800000aa00389b71 03 633270612e6d6500",
      "0000000c 66726565 01020304",
    ]
      .join("")
      .replaceAll(" ", ""),
    "hex",
  ),
);

let deployment: Deployment;
let caller: Caller;

beforeAll(async () => {
  deployment = await deploymentUnderTest();
  caller = (await newAccount(deployment, { registrations: 10_000, lookups: 10_000 })).caller;
});
afterAll(() => deployment[Symbol.asyncDispose]());

function json(body: string | Uint8Array<ArrayBuffer>, name = "manifest[a]"): PostedManifest {
  return { name, type: "application/json", body };
}

/** Registers a fresh picture with these manifests and gives back the record's text. */
async function recordWith(...manifests: readonly PostedManifest[]): Promise<string> {
  const answer = await caller.register(await freshPicture(), manifests);
  const { originalImageHash } = jsonOf<{ originalImageHash: string }>(answer);
  const record = await caller.get(`/records/${originalImageHash}`);
  expect(record.status).toBe(200);
  return record.text;
}

describe("a manifest refuses the image", () => {
  const picture = Uint8Array.from([0xff, 0xd8]);
  const cases: readonly [string, PostedManifest, string][] = [
    ["a bare name", json("{}", "manifest"), NO_KIND],
    ["an empty kind", json("{}", "manifest[]"), NO_KIND],
    ["a kind of 65 characters", json("{}", `manifest[${"k".repeat(65)}]`), BAD_KIND],
    ["a kind with a space", json("{}", "manifest[a b]"), BAD_KIND],
    ["a kind with a bracket", json("{}", "manifest[a]b]"), BAD_KIND],
    ["a kind that is not ASCII", json("{}", "manifest[é]"), BAD_KIND],
    ["a kind with a slash", json("{}", "manifest[a/b]"), BAD_KIND],
    ["plain text", { ...json("{}"), type: "text/plain" }, BAD_TYPE],
    ["another JSON type", { ...json("{}"), type: "application/ld+json" }, BAD_TYPE],
    ["no type", { ...json("{}"), type: "" }, BAD_TYPE],
    ["no JSON", json("nonsense"), BAD_FORM],
    ["nothing", json(""), BAD_FORM],
    ["a JSON list", json("[]"), BAD_FORM],
    ["a JSON string", json('"text"'), BAD_FORM],
    ["JSON null", json("null"), BAD_FORM],
    ["two JSON objects", json("{}{}"), BAD_FORM],
    ["an unfinished object", json('{"a":1'), BAD_FORM],
    ["a trailing comma", json('{"a":1,}'), BAD_FORM],
    ["a byte order mark", json("\ufeff{}"), BAD_FORM],
    ["invalid UTF-8", json(Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), BAD_FORM],
    ["JSON that claims to be JUMBF", { ...json("{}"), type: "application/jumbf" }, BAD_FORM],
    ["a superbox of something else", { ...json(withBytes(12, "free")), type: "application/c2pa" }, BAD_FORM],
    ["another box", { ...json(withBytes(4, "ftyp")), type: "application/jumbf" }, BAD_FORM],
    ["a cut superbox", { ...json(JUMBF.slice(0, 10)), type: "application/jumbf" }, BAD_FORM],
  ];

  test.each(cases)("%s", async (_, manifest, sentence) => {
    expect(refusalIn(await caller.register(picture, [manifest]))).toEqual(problem(invalidManifest(sentence)));
  });

  test("one too many", async () => {
    const many = Array.from({ length: 17 }, (_, index) => json("{}", `manifest[k${index}]`));
    const tooMany = invalidManifest("An image carries at most 16 manifests.");
    expect(refusalIn(await caller.register(picture, many))).toEqual(problem(tooMany));
  });

  test("past its cap", async () => {
    const tooLarge = {
      status: 413,
      title: "Manifest too large",
      condition: "manifest-too-large",
      detail: "Manifest exceeds the size cap.",
    };
    const filler = "x".repeat(1_048_576);
    expect(refusalIn(await caller.register(picture, [json(`{"a":"${filler}"}`)]))).toEqual(problem(tooLarge));
  });
});

function withBytes(offset: number, text: string): Uint8Array<ArrayBuffer> {
  const bytes = JUMBF.slice();
  bytes.set(Buffer.from(text), offset);
  return bytes;
}

const PAYLOADS = [
  '{"b":1,"a":2}',
  ' \t\r\n{ "spaced" :\n\t[ 1 , 2 ] } \n',
  '{"n":1.0,"e":1e5,"E":1E+05,"z":-0,"big":123456789012345678901234567890,"small":1e-400}',
  String.raw`{"escaped":"\u0041\/\ud83d\ude00","solidus":"\/","tab":"\t"}`,
  '{"twice":1,"twice":2,"__proto__":{"x":1},"constructor":null}',
  '{"raw":"😀é漢字","":"empty name"}',
  "{}",
  `{"deep":${"[".repeat(200)}${"]".repeat(200)}}`,
  `{"long":"${"y".repeat(100_000)}"}`,
  '{"looks":"\\"},\\"hash\\":null}"}',
];

describe("a JSON manifest is answered byte for byte", () => {
  test("whatever its white space, escapes, numbers and names", async () => {
    const text = await recordWith(...PAYLOADS.map((payload) => json(payload)));
    const { manifests }: { manifests: object[] } = JSON.parse(text);
    expect(manifests).toHaveLength(PAYLOADS.length);
    let from = 0;
    for (const payload of PAYLOADS) {
      const at = text.indexOf(`"form":"json","payload":${payload},"hash":`, from);
      expect(at, `in place: ${payload.slice(0, 40)}`).toBeGreaterThan(from);
      from = at;
    }
  });

  test("up to the cap itself", async () => {
    const filler = "x".repeat(1_048_576 - '{"a":""}'.length);
    const payload = `{"a":"${filler}"}`;
    expect((await recordWith(json(payload))).includes(`"payload":${payload},"hash"`)).toBe(true);
  });
});

describe("manifests are answered as they were posted", () => {
  test("JUMBF in base64, under either type", async () => {
    const types = ["application/jumbf", "application/c2pa", "Application/C2PA; x=1"];
    const posted = types.map((type) => ({ name: "manifest[c2pa]", type, body: JUMBF }));
    const { manifests } = JSON.parse(await recordWith(...posted));
    expect(manifests).toEqual(
      types.map(() => ({
        type: "c2pa",
        form: "jumbf",
        payload: Buffer.from(JUMBF).toString("base64"),
        hash: blake3Hex(JUMBF),
        signature: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/),
      })),
    );
  });

  test("in their order, kinds repeated or not, as many as an image may carry", async () => {
    const kinds = [
      "z",
      "a",
      "a",
      "A-Z.0_9",
      "k".repeat(64),
      ...Array.from({ length: 11 }, (_, i) => `k${i}`),
    ];
    const posted = kinds.map((kind, index) => json(`{"index":${index}}`, `manifest[${kind}]`));
    const { manifests } = JSON.parse(await recordWith(...posted));
    expect(manifests.map(({ type }: { type: string }) => type)).toEqual(kinds);
    expect(manifests.map(({ payload }: { payload: object }) => payload)).toEqual(
      kinds.map((_, index) => ({ index })),
    );
  });

  test("when the part has no file name, too", async () => {
    const picture = await freshPicture();
    const headers = ['Content-Disposition: form-data; name="manifest[a]"', "content-type: application/json"];
    const body = multipartBody([
      { headers, body: '{"plain":"field"}' },
      filePart("image", "image/jpeg", picture),
    ]);
    const answer = await caller.send("POST", "/registrations", {
      body,
      headers: { "content-type": MULTIPART_TYPE },
    });
    const { originalImageHash } = jsonOf<{ originalImageHash: string }>(answer);
    const { text } = await caller.get(`/records/${originalImageHash}`);
    expect(text).toContain('"payload":{"plain":"field"},');
  });

  test("none at all is an empty list, under no collection signature", async () => {
    expect(JSON.parse(await recordWith())).toMatchObject({
      manifests: [],
      verification: { collectionSignature: null },
    });
  });
});
