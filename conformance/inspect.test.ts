import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, jsonOf } from "./support/answer.ts";
import { type Caller, newAccount } from "./support/caller.ts";
import { type Deployment, deploymentUnderTest } from "./support/deployment.ts";
import { MALFORMED, problem, quotaExceeded, refusalIn } from "./support/problem.ts";
import { croppedCopy, freshPicture, reencoded } from "./support/pictures.ts";
import { filePart, MULTIPART_TYPE, multipartBody } from "./support/raw.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type Corner = readonly [number, number];

interface Match {
  readonly originalImageHash: string;
  readonly region: readonly Corner[];
  readonly part: readonly Corner[];
  readonly turnedDegrees: number;
  readonly scale: number;
}
interface Inspection {
  readonly width: number;
  readonly height: number;
  readonly matches: readonly Match[];
}

const WIDTH = 480;
const HEIGHT = 360;
const DIAGONAL = Math.hypot(WIDTH, HEIGHT);

let deployment: Deployment;
let owner: Caller;
let stranger: Caller;
let picture: Bytes;
let registration: { readonly id: string; readonly originalImageHash: string };

beforeAll(async () => {
  deployment = await deploymentUnderTest();
  owner = (await newAccount(deployment)).caller;
  stranger = (await newAccount(deployment)).caller;
  picture = await freshPicture(WIDTH, HEIGHT);
  registration = jsonOf(await owner.register(picture));
});
afterAll(() => deployment[Symbol.asyncDispose]());

function inspect(by: Caller, image: Bytes, type = "image/jpeg"): Promise<Answer> {
  const body = new FormData();
  body.append("image", new Blob([image], { type }), "query.jpg");
  return by.send("POST", "/inspect", { body });
}

async function found(image: Bytes): Promise<Inspection & { readonly match: Match }> {
  const inspection = jsonOf<Inspection>(await inspect(stranger, image));
  const [match] = inspection.matches;
  if (match === undefined) throw new Error("Nothing was found.");
  return { ...inspection, match };
}

const jpegOf = async (image: Sharp): Promise<Bytes> => Uint8Array.from(await image.jpeg().toBuffer());

const box = (left: number, top: number, right: number, bottom: number): Corner[] => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
];

/** Corner for corner in order, to 2 % of the diagonal. */
function expectCorners(corners: readonly Corner[], expected: readonly Corner[]): void {
  expect(corners).toHaveLength(expected.length);
  for (const [k, [x, y]] of corners.entries()) {
    expect(Math.hypot(x - expected[k]![0], y - expected[k]![1])).toBeLessThan(0.02 * DIAGONAL);
  }
}

const WHOLE = box(0, 0, WIDTH, HEIGHT);

describe("POST /inspect", () => {
  test("says of the same file that it is identical, from edge to edge, and whose registration it is", async () => {
    const whole = {
      originalImageHash: registration.originalImageHash,
      relation: "identical",
      originalWidth: WIDTH,
      originalHeight: HEIGHT,
      region: WHOLE,
      part: WHOLE,
      mirrored: false,
      inverted: false,
      turnedDegrees: 0,
      scale: 1,
    };
    const own = { kind: "registration", registrationId: registration.id };
    const answer = { matched: true, width: WIDTH, height: HEIGHT };
    expect(jsonOf(await inspect(owner, picture))).toEqual({ ...answer, matches: [{ ...whole, own }] });
    expect(jsonOf(await inspect(stranger, picture))).toEqual({
      ...answer,
      matches: [{ ...whole, own: null }],
    });
  });

  test("tells another file of the same pixels from a derived one", async () => {
    expect((await found(await reencoded(picture, "png"))).match).toMatchObject({
      relation: "samePixels",
      region: WHOLE,
      part: WHOLE,
      turnedDegrees: 0,
      scale: 1,
    });
    for (const scale of [1, 0.5]) {
      const copy = await jpegOf(sharp(picture).resize(scale * WIDTH));
      expect((await found(copy)).match).toMatchObject({
        relation: "derived",
        own: null,
        region: box(0, 0, scale * WIDTH, scale * HEIGHT),
        part: WHOLE,
        turnedDegrees: 0,
        scale,
      });
    }
    const { match } = await found(await jpegOf(sharp(picture).greyscale()));
    expect(match).toMatchObject({ relation: "derived", mirrored: false, inverted: false });
    expectCorners(match.region, WHOLE);
    expectCorners(match.part, WHOLE);
  });

  test("names the part that a crop shows", async () => {
    const { width, height, match } = await found(await croppedCopy(picture));
    const [left, top] = [(WIDTH - width) / 2, (HEIGHT - height) / 2];
    expectCorners(match.region, box(0, 0, width, height));
    expectCorners(match.part, box(left, top, left + width, top + height));
    expect(match.scale).toBeCloseTo(1, 1);
  });

  test("outlines a picture that is pasted, turned and smaller, in the order of its own corners", async () => {
    const small = await sharp(picture).resize(360, 270).toBuffer();
    const pasted = await sharp(small).rotate(90).toBuffer();
    const page = sharp({ create: { width: 700, height: 560, channels: 3, background: "#3a5f4c" } });
    const { match } = await found(await jpegOf(page.composite([{ input: pasted, left: 300, top: 120 }])));
    expectCorners(match.region, [
      [570, 120],
      [570, 480],
      [300, 480],
      [300, 120],
    ]);
    expectCorners(match.part, WHOLE);
    expect(Math.abs(match.turnedDegrees - 90)).toBeLessThan(1);
    expect(match.scale).toBeCloseTo(0.75, 1);
    expect(match).toMatchObject({ mirrored: false, inverted: false });
  });

  test("takes a query as its orientation tag shows it, and a mirrored one as mirrored before it is turned", async () => {
    const lying = await jpegOf(
      sharp(await sharp(picture).rotate(-90).toBuffer()).withMetadata({ orientation: 6 }),
    );
    const { width, height, match } = await found(lying);
    expect([width, height]).toEqual([WIDTH, HEIGHT]);
    expectCorners(match.region, WHOLE);

    const mirrored = (await found(await jpegOf(sharp(picture).flop()))).match;
    expect(mirrored).toMatchObject({ mirrored: true });
    expect(Math.abs(mirrored.turnedDegrees)).toBeLessThan(1);
    expectCorners(mirrored.region, [
      [WIDTH, 0],
      [0, 0],
      [0, HEIGHT],
      [WIDTH, HEIGHT],
    ]);
    expectCorners(mirrored.part, WHOLE);
    const upsideDown = (await found(await jpegOf(sharp(picture).flip()))).match;
    expect(upsideDown).toMatchObject({ mirrored: true });
    expect(upsideDown.turnedDegrees).toBeGreaterThan(-180);
    expect(180 - Math.abs(upsideDown.turnedDegrees)).toBeLessThan(1);
    expect((await found(await jpegOf(sharp(picture).negate()))).match).toMatchObject({ inverted: true });
  });

  test("names the originals of a look-up in its order, each with its place", async () => {
    const other = await freshPicture(WIDTH, HEIGHT);
    jsonOf(await owner.register(other));
    const page = sharp({ create: { width: 2 * WIDTH, height: HEIGHT, channels: 3, background: "#ffffff" } });
    const collage = await jpegOf(
      page.composite([
        { input: Buffer.from(picture), left: 0, top: 0 },
        { input: Buffer.from(other), left: WIDTH, top: 0 },
      ]),
    );
    const { matchedOriginalImageHashes: order } = jsonOf<{ matchedOriginalImageHashes: string[] }>(
      await stranger.lookUp(collage),
    );
    const { matches } = jsonOf<Inspection>(await inspect(stranger, collage));
    expect(matches.map((match) => match.originalImageHash)).toEqual(order);
    expect(order).toHaveLength(2);
    for (const match of matches) {
      const left = match.originalImageHash === registration.originalImageHash ? 0 : WIDTH;
      expectCorners(match.region, box(left, 0, left + WIDTH, HEIGHT));
      expectCorners(match.part, WHOLE);
    }
  });

  test("spends one look-up on a verdict, found or not, and none on a refusal", async () => {
    const spent = async (): Promise<number> =>
      jsonOf<{ lookups: { consumed: number } }>(await stranger.get("/account/stats")).lookups.consumed;
    const before = await spent();
    await found(picture);
    expect(jsonOf(await inspect(stranger, await freshPicture(320, 240)))).toEqual({
      matched: false,
      width: 320,
      height: 240,
      matches: [],
    });
    const undecodable = await inspect(stranger, new Uint8Array(500));
    expect(refusalIn(undecodable)).toEqual(
      problem({ status: 422, title: "Image could not be checked", condition: "image-could-not-be-checked" }),
    );
    expect(await spent()).toBe(before + 2);
  });

  test("refuses what a look-up refuses", async () => {
    const post = (path: string, parts: Parameters<typeof multipartBody>[0]): Promise<Answer> =>
      stranger.send("POST", path, {
        body: multipartBody(parts),
        headers: { "content-type": MULTIPART_TYPE },
      });
    const file = filePart("image", "image/jpeg", "x");
    for (const answer of [
      await post("/inspect?k=1", [file]),
      await post("/inspect", [file, file]),
      await post("/inspect", []),
      await stranger.json("POST", "/inspect", {}),
    ]) {
      expect(refusalIn(answer)).toEqual(problem(MALFORMED));
    }
    expect(refusalIn(await inspect(stranger, picture, "image/bmp"))).toMatchObject({ status: 415 });
    const { caller: poor } = await newAccount(deployment, { registrations: 3, lookups: 0 });
    expect(refusalIn(await inspect(poor, picture))).toEqual(problem(quotaExceeded(3, 0)));
    const nobody = await fetch(`${deployment.baseUrl}/inspect`, { method: "POST" });
    expect(nobody.status).toBe(401);
  });
});
