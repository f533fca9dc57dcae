import type { OverlayOptions } from "sharp";
import { expect, it } from "vitest";
import { compareCandidate } from "../../src/matching/compare/compare-candidate.ts";
import { wholeCorrespondences } from "../../src/matching/compare/correspondences.ts";
import { QueryPlanes } from "../../src/matching/compare/query-planes.ts";
import { editPicture, examineQuery, PACKET_KEY, registerOriginal, scene } from "./pictures.ts";

const [WIDTH, HEIGHT] = [900, 600];

/** Dark lines all over the picture, which leave no block to agree exactly: pixels with opacity. */
const LINES: OverlayOptions = {
  input: Buffer.from(
    Uint8Array.from({ length: 4 * WIDTH * HEIGHT }, (_, at) => {
      const isLine = Math.floor(at / (4 * WIDTH)) % 5 < 2;
      return at % 4 === 3 ? Number(isLine) * 128 : 16;
    }),
  ),
  raw: { width: WIDTH, height: HEIGHT, channels: 4 },
};

const smaller = (shown: Uint8Array): Promise<Uint8Array> => editPicture(shown, (whole) => whole.resize(480));

it("a picture under a veil is sampled hardly more often than a bare one", async () => {
  const picture = await scene(61, WIDTH, HEIGHT);
  const { original } = await registerOriginal(1, picture);
  const cellsOf = async (shown: Uint8Array): Promise<number> => {
    const { query } = await examineQuery(shown);
    const planes = new QueryPlanes(query.luma, query.quantisation);
    compareCandidate(planes, original, wholeCorrespondences(query.luma, 0), PACKET_KEY);
    planes.clear();
    return planes.sampled;
  };
  const bare = await cellsOf(await smaller(picture));
  const veiled = await cellsOf(
    await smaller(await editPicture(picture, (whole) => whole.composite([LINES]))),
  );
  expect(veiled).toBeLessThan(1.5 * bare);
});
