import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jsonOf } from "./support/answer.ts";
import { type Caller, newAccount } from "./support/caller.ts";
import { type Deployment, deploymentUnderTest } from "./support/deployment.ts";
import {
  type ExpectedProblem,
  problem,
  refusalIn,
  MALFORMED,
  quotaExceeded,
  REGISTRATION_NOT_FOUND,
} from "./support/problem.ts";
import { blake3Hex, croppedCopy, freshPicture, freshScene, reencoded, sha256 } from "./support/pictures.ts";
import {
  declareOnly,
  fieldPart,
  filePart,
  MULTIPART_TYPE,
  multipartBody,
  type RawPart,
} from "./support/raw.ts";

interface Registration {
  readonly id: string;
  readonly imageHash: string;
  readonly originalImageHash: string;
  readonly engineRecord: string;
}
interface Stats {
  readonly registrations: { readonly consumed: number };
  readonly lookups: { readonly consumed: number };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NOT_REGISTERED: ExpectedProblem = {
  status: 409,
  title: "Image not registered",
  condition: "image-not-registered",
};
const ALREADY = { ...NOT_REGISTERED, detail: "This image is already registered." };
const DERIVATIVE = {
  ...NOT_REGISTERED,
  detail: "This image is a derivative of an image that is already registered.",
};

let deployment: Deployment;
let caller: Caller;
let other: Caller;

beforeAll(async () => {
  deployment = await deploymentUnderTest();
  caller = (await newAccount(deployment)).caller;
  other = (await newAccount(deployment)).caller;
});
afterAll(() => deployment[Symbol.asyncDispose]());

const jpeg = (): RawPart => filePart("image", "image/jpeg", "not looked at");
const json = (name: string): RawPart => filePart(name, "application/json", "{}");

/** What an account has spent so far, as [registrations, look-ups]. */
async function spent(by: Caller): Promise<[number, number]> {
  const { registrations, lookups } = jsonOf<Stats>(await by.get("/account/stats"));
  return [registrations.consumed, lookups.consumed];
}

function post(parts: readonly RawPart[]): ReturnType<Caller["send"]> {
  const body = multipartBody(parts);
  return caller.send("POST", "/registrations", { body, headers: { "content-type": MULTIPART_TYPE } });
}

describe("POST /registrations", () => {
  test("registers an image and answers exactly the registration", async () => {
    const picture = await freshPicture();
    const before = await spent(caller);
    const registration = jsonOf<Registration>(await caller.register(picture));
    expect(registration).toEqual({
      id: expect.stringMatching(UUID),
      imageHash: sha256(picture),
      originalImageHash: blake3Hex(picture),
      engineRecord: expect.stringMatching(/./),
    });
    expect(await spent(caller)).toEqual([before[0] + 1, before[1]]);
  });

  test("takes every accepted type, in any case and with parameters", async () => {
    const png = await reencoded(await freshPicture(), "png");
    const webp = await reencoded(await freshPicture(), "webp");
    expect((await caller.register(png, [], "image/png")).status).toBe(200);
    const odd = await post([filePart("image", 'IMAGE/WebP; quality="high"', webp)]);
    expect(jsonOf<Registration>(odd).imageHash).toBe(sha256(webp));
  });

  test("refuses bytes registered already, and names the registration to its owner only", async () => {
    const picture = await freshPicture();
    const { id } = jsonOf<Registration>(await caller.register(picture));
    const before = [await spent(caller), await spent(other)];
    expect(refusalIn(await caller.register(picture))).toEqual(
      problem({ ...ALREADY, extensions: { registrationId: id } }),
    );
    expect(refusalIn(await other.register(picture))).toEqual(problem(ALREADY));
    const after = [await spent(caller), await spent(other)];
    expect(after).toEqual(before.map(([registrations, lookups]) => [registrations, lookups + 1]));
  });

  test("refuses a crop of a registered image as its derivative", async () => {
    const picture = await freshScene();
    const { id } = jsonOf<Registration>(await caller.register(picture));
    const crop = await croppedCopy(picture);
    expect(refusalIn(await caller.register(crop))).toEqual(
      problem({ ...DERIVATIVE, extensions: { registrationId: id } }),
    );
    expect(refusalIn(await other.register(crop))).toEqual(problem(DERIVATIVE));
  });

  test("registers one of many at once, whoever sends it", async () => {
    const picture = await freshPicture();
    const answers = await Promise.all([caller, other, caller, other].map((by) => by.register(picture)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    const winner = answers.findIndex(({ status }) => status === 200);
    const { id } = jsonOf<Registration>(answers[winner]!);
    for (const [at, answer] of answers.entries()) {
      if (at === winner) continue;
      const own = at % 2 === winner % 2 ? { extensions: { registrationId: id } } : {};
      expect(refusalIn(answer)).toEqual(problem({ ...ALREADY, ...own }));
    }
  });

  describe("refuses a request of the wrong shape and spends nothing", () => {
    const cases: readonly [string, () => RawPart[]][] = [
      ["no part at all", () => []],
      ["no image", () => [json("manifest[a]")]],
      ["two images", () => [jpeg(), jpeg()]],
      ["a manifest after the image", () => [jpeg(), json("manifest[a]")]],
      ["a field nobody asked for", () => [fieldPart("title", "x"), jpeg()]],
      ["a file nobody asked for", () => [filePart("picture", "image/jpeg", "x")]],
      ["an image that is no file", () => [fieldPart("image", "x")]],
      ["a part without a name", () => [{ headers: ["Content-Disposition: form-data"], body: "x" }]],
      ["a part without headers", () => [{ headers: [], body: "x" }]],
    ];

    test.each(cases)("%s", async (_, parts) => {
      const before = await spent(caller);
      expect(refusalIn(await post(parts()))).toEqual(problem(MALFORMED));
      expect(await spent(caller)).toEqual(before);
    });

    test.each([
      ["no Content-Type", {}],
      ["another Content-Type", { "content-type": "application/json" }],
      ["no boundary", { "content-type": "multipart/form-data" }],
      ["an empty boundary", { "content-type": "multipart/form-data; boundary=" }],
      ["another multipart type", { "content-type": "multipart/mixed; boundary=----colophon-conformance" }],
      ["a boundary that never comes", { "content-type": "multipart/form-data; boundary=other" }],
    ])("%s", async (_, headers) => {
      const body = multipartBody([jpeg()]);
      expect(refusalIn(await caller.send("POST", "/registrations", { body, headers }))).toEqual(
        problem(MALFORMED),
      );
    });

    test("a body cut short", async () => {
      const body = multipartBody([jpeg()]).slice(0, -12);
      const headers = { "content-type": MULTIPART_TYPE };
      expect(refusalIn(await caller.send("POST", "/registrations", { body, headers }))).toEqual(
        problem(MALFORMED),
      );
    });
  });

  test("refuses a type that is not accepted", async () => {
    const unsupported: ExpectedProblem = {
      status: 415,
      title: "Unsupported image content type",
      condition: "unsupported-image-content-type",
    };
    for (const type of ["image/tiff", "application/octet-stream", "image/svg+xml", "text/plain"]) {
      expect(refusalIn(await caller.register(await freshPicture(64, 64), [], type))).toEqual(
        problem(unsupported),
      );
    }
    const typeless = {
      headers: ['Content-Disposition: form-data; name="image"; filename="a.jpg"'],
      body: "x",
    };
    expect(refusalIn(await post([typeless]))).toEqual(problem(unsupported));
  });

  test("refuses bytes that no decoder reads, and spends nothing", async () => {
    const before = await spent(caller);
    const picture = await freshPicture(200, 200);
    const declined: ExpectedProblem = {
      status: 422,
      title: "Image could not be checked",
      condition: "image-could-not-be-checked",
      detail: "This image could not be checked against registered originals.",
    };
    expect(refusalIn(await caller.register(Uint8Array.from(Buffer.from("no image at all"))))).toEqual(
      problem(declined),
    );
    expect(refusalIn(await caller.register(new Uint8Array(0)))).toEqual(problem(declined));
    expect(refusalIn(await caller.register(picture.slice(0, 200)))).toEqual(problem(declined));
    expect(await spent(caller)).toEqual(before);
  });

  test("refuses an image past its cap", async () => {
    const tooLarge: ExpectedProblem = { status: 413, title: "Image too large", condition: "image-too-large" };
    expect(refusalIn(await caller.register(new Uint8Array(67_108_865)))).toEqual(problem(tooLarge));
  });

  test("refuses a request past its cap before it is sent", async () => {
    const answer = await declareOnly(
      `${deployment.baseUrl}/registrations`,
      "POST",
      { ...caller.authentication, "content-type": MULTIPART_TYPE },
      268_435_457,
    );
    expect(refusalIn(answer)).toEqual(
      problem({ status: 413, title: "Request too large", condition: "request-too-large" }),
    );
  });

  test("refuses what the grants do not cover, before it looks at the image", async () => {
    const noRegistrations = (await newAccount(deployment, { registrations: 0, lookups: 3 })).caller;
    const noLookups = (await newAccount(deployment, { registrations: 3, lookups: 0 })).caller;
    const unreadable = Uint8Array.from(Buffer.from("no image at all"));
    expect(refusalIn(await noRegistrations.register(await freshPicture(100, 100)))).toEqual(
      problem(quotaExceeded(0, 3)),
    );
    expect(refusalIn(await noLookups.register(await freshPicture(100, 100)))).toEqual(
      problem(quotaExceeded(3, 0)),
    );
    expect(refusalIn(await noLookups.register(unreadable))).toEqual(problem(quotaExceeded(3, 0)));
  });

  test("spends a grant to its last unit and no further", async () => {
    const { caller: poor } = await newAccount(deployment, { registrations: 2, lookups: 1 });
    const answers = await Promise.all(
      (await Promise.all([1, 2, 3, 4].map(() => freshPicture(300, 300)))).map((picture) =>
        poor.register(picture),
      ),
    );
    // Each in flight reserves the one look-up there is, so some of the four are refused for a moment.
    const registered = answers.filter(({ status }) => status === 200).length;
    expect(registered).toBeGreaterThanOrEqual(1);
    for (let left = 2 - registered; left > 0; left -= 1) {
      jsonOf(await poor.register(await freshPicture(300, 300)));
    }
    expect(refusalIn(await poor.register(await freshPicture(300, 300)))).toEqual(
      problem(quotaExceeded(0, 1)),
    );
    expect(await spent(poor)).toEqual([2, 0]);
  });
});

describe("DELETE /registrations/{registrationId}", () => {
  test("takes a registration down for good, and the image may be registered again", async () => {
    const picture = await freshPicture();
    const first = jsonOf<Registration>(await caller.register(picture));
    const gone = await caller.delete(`/registrations/${first.id}`);
    expect(gone.status).toBe(204);
    expect(gone.text).toBe("");
    expect(refusalIn(await caller.delete(`/registrations/${first.id}`))).toEqual(
      problem(REGISTRATION_NOT_FOUND),
    );
    const second = jsonOf<Registration>(await other.register(picture));
    expect(second.id).not.toBe(first.id);
    expect(second.originalImageHash).toBe(first.originalImageHash);
  });

  test("answers another account's registration as one that never was", async () => {
    const { id } = jsonOf<Registration>(await caller.register(await freshPicture()));
    const bodies = [];
    for (const path of [id, "00000000-0000-4000-8000-000000000000", "nonsense", "%00", id.slice(1)]) {
      const answer = await other.delete(`/registrations/${path}`);
      expect(refusalIn(answer)).toEqual(problem(REGISTRATION_NOT_FOUND));
      const { traceId: _, ...body } = JSON.parse(answer.text);
      bodies.push(body);
    }
    for (const body of bodies) expect(body).toEqual(bodies[0]);
    expect((await caller.delete(`/registrations/${id}`)).status).toBe(204);
  });

  test("is done by one of many who ask at once", async () => {
    const { id } = jsonOf<Registration>(await caller.register(await freshPicture()));
    const answers = await Promise.all([1, 2, 3, 4].map(() => caller.delete(`/registrations/${id}`)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404, 404, 404]);
  });
});
