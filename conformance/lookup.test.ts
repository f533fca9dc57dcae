import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jsonOf } from "./support/answer.ts";
import { type Caller, newAccount } from "./support/caller.ts";
import { type Deployment, deploymentUnderTest } from "./support/deployment.ts";
import { MALFORMED, problem, quotaExceeded, refusalIn } from "./support/problem.ts";
import { croppedCopy, freshPicture, freshScene, reencoded } from "./support/pictures.ts";
import {
  declareOnly,
  fieldPart,
  filePart,
  MULTIPART_TYPE,
  multipartBody,
  type RawPart,
} from "./support/raw.ts";

const NO_MATCH = { matched: false, matchedOriginalImageHashes: [], candidates: [] };

interface Registration {
  readonly id: string;
  readonly originalImageHash: string;
}

let deployment: Deployment;
let owner: Caller;
let stranger: Caller;
let picture: Uint8Array<ArrayBuffer>;
let registration: Registration;

beforeAll(async () => {
  deployment = await deploymentUnderTest();
  owner = (await newAccount(deployment)).caller;
  stranger = (await newAccount(deployment)).caller;
  picture = await freshScene();
  registration = jsonOf(await owner.register(picture));
});
afterAll(() => deployment[Symbol.asyncDispose]());

const file = (name = "image"): RawPart => filePart(name, "image/jpeg", "not looked at");

async function lookupsSpent(by: Caller): Promise<number> {
  return jsonOf<{ lookups: { consumed: number } }>(await by.get("/account/stats")).lookups.consumed;
}

function post(parts: readonly RawPart[], path = "/lookup"): ReturnType<Caller["send"]> {
  const body = multipartBody(parts);
  return stranger.send("POST", path, { body, headers: { "content-type": MULTIPART_TYPE } });
}

describe("POST /lookup", () => {
  test("finds a registered image for its owner, who sees the registration", async () => {
    expect(jsonOf(await owner.lookUp(picture))).toEqual({
      matched: true,
      matchedOriginalImageHashes: [registration.originalImageHash],
      candidates: [{ registrationId: registration.id }],
    });
  });

  test("finds it for anybody else, who sees no registration", async () => {
    const before = await lookupsSpent(stranger);
    expect(jsonOf(await stranger.lookUp(picture))).toEqual({
      matched: true,
      matchedOriginalImageHashes: [registration.originalImageHash],
      candidates: [],
    });
    expect(await lookupsSpent(stranger)).toBe(before + 1);
  });

  test("finds its crops and its re-encodes", async () => {
    const copies: [Uint8Array<ArrayBuffer>, string][] = [
      [await croppedCopy(picture), "image/jpeg"],
      [await reencoded(picture, "png"), "image/png"],
      [await reencoded(picture, "webp"), "image/webp"],
    ];
    for (const [copy, type] of copies) {
      expect(jsonOf(await stranger.lookUp(copy, type))).toMatchObject({
        matched: true,
        matchedOriginalImageHashes: [registration.originalImageHash],
      });
    }
  });

  test("spends a look-up on a verdict that nothing matches", async () => {
    const before = await lookupsSpent(stranger);
    expect(jsonOf(await stranger.lookUp(await freshPicture()))).toEqual(NO_MATCH);
    expect(await lookupsSpent(stranger)).toBe(before + 1);
  });

  test("does not find what was taken down", async () => {
    const other = await freshScene();
    const { id } = jsonOf<Registration>(await owner.register(other));
    expect(jsonOf(await stranger.lookUp(other))).toMatchObject({ matched: true });
    await owner.delete(`/registrations/${id}`);
    expect(jsonOf(await stranger.lookUp(other))).toEqual(NO_MATCH);
    expect(jsonOf(await stranger.lookUp(await croppedCopy(other)))).toEqual(NO_MATCH);
  });

  test("takes the part under any name", async () => {
    for (const name of ["image", "query", "photo of a harbour", "images[]", "manifest", "manifest[a]"]) {
      expect(jsonOf(await post([filePart(name, "image/jpeg", picture)]))).toMatchObject({ matched: true });
    }
    const nameless = {
      headers: ['Content-Disposition: form-data; name="f"', "Content-Type: image/jpeg"],
      body: picture,
    };
    expect(jsonOf(await post([nameless]))).toMatchObject({ matched: true });
  });

  const shapes: readonly [string, RawPart[]][] = [
    ["no part", []],
    ["two images", [file("a"), file("b")]],
    ["a field besides the image", [file(), fieldPart("topK", "3")]],
    ["a field before the image", [fieldPart("threshold", "0.5"), file()]],
    ["a field alone", [fieldPart("image", "x")]],
    ["a manifest", [filePart("manifest[a]", "application/json", "{}"), file()]],
  ];

  test.each(shapes)("refuses %s, and spends nothing", async (_, parts) => {
    const before = await lookupsSpent(stranger);
    expect(refusalIn(await post(parts))).toEqual(problem(MALFORMED));
    expect(await lookupsSpent(stranger)).toBe(before);
  });

  test.each(["?", "?topK=3", "?x"])("refuses the query string %s", async (query) => {
    expect(refusalIn(await post([file()], `/lookup${query}`))).toEqual(problem(MALFORMED));
  });

  test("refuses a body that is no multipart, or cut short", async () => {
    const cut = multipartBody([file()]).slice(0, -10);
    expect(refusalIn(await stranger.json("POST", "/lookup", {}))).toEqual(problem(MALFORMED));
    expect(refusalIn(await stranger.send("POST", "/lookup"))).toEqual(problem(MALFORMED));
    const answer = await stranger.send("POST", "/lookup", {
      body: cut,
      headers: { "content-type": MULTIPART_TYPE },
    });
    expect(refusalIn(answer)).toEqual(problem(MALFORMED));
  });

  test("refuses a type that is not accepted", async () => {
    expect(refusalIn(await stranger.lookUp(picture, "image/bmp"))).toEqual(
      problem({
        status: 415,
        title: "Unsupported image content type",
        condition: "unsupported-image-content-type",
      }),
    );
  });

  test("refuses bytes that no decoder reads, and spends nothing", async () => {
    const before = await lookupsSpent(stranger);
    const declined = {
      status: 422,
      title: "Image could not be checked",
      condition: "image-could-not-be-checked",
      detail: "This image could not be checked against registered originals.",
    };
    for (const bytes of [new Uint8Array(0), new Uint8Array(5000), Uint8Array.from(Buffer.from("<svg/>"))]) {
      expect(refusalIn(await stranger.lookUp(bytes))).toEqual(problem(declined));
    }
    expect(await lookupsSpent(stranger)).toBe(before);
  });

  test("refuses an image and a request past their caps", async () => {
    expect(refusalIn(await stranger.lookUp(new Uint8Array(67_108_865)))).toEqual(
      problem({ status: 413, title: "Image too large", condition: "image-too-large" }),
    );
    const headers = { ...stranger.authentication, "content-type": MULTIPART_TYPE };
    const answer = await declareOnly(`${deployment.baseUrl}/lookup`, "POST", headers, 268_435_457);
    expect(refusalIn(answer)).toEqual(
      problem({ status: 413, title: "Request too large", condition: "request-too-large" }),
    );
  });

  test("refuses what the grant does not cover, even bytes that are no image", async () => {
    const { caller: poor } = await newAccount(deployment, { registrations: 7, lookups: 1 });
    expect(jsonOf(await poor.lookUp(picture))).toMatchObject({ matched: true });
    expect(refusalIn(await poor.lookUp(picture))).toEqual(problem(quotaExceeded(7, 0)));
    expect(refusalIn(await poor.lookUp(new Uint8Array(10)))).toEqual(problem(quotaExceeded(7, 0)));
  });
});
