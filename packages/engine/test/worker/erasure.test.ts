import sharp from "sharp";
import { expect, it } from "vitest";
import { paintPicture } from "@colophon/testing/pictures.ts";
import { decodeImage, discardRaster, restrictDecoders } from "../../src/image/coded/decode.ts";
import { examineImage } from "../../src/examine/examine-image.ts";
import { readQueryState } from "../../src/examine/query-buffer.ts";
import { matchQuery } from "../../src/matching/match-query.ts";
import { readPacket } from "../../src/packet/read-packet.ts";
import { Arena, bytesAt } from "../../src/wasm/arena.ts";
import { kernels } from "../../src/wasm/kernels.ts";
import { openVocabulary } from "../../src/words/vocabulary.ts";
import { loadVocabulary } from "../../src/learned/vocabulary-file.ts";

// Those of every test that decodes in its own process: files share one, and what one of them restricts holds for the
// next.
const acceptedTypes = ["image/jpeg", "image/png", "image/webp"];
restrictDecoders(acceptedTypes);
const decode = { acceptedTypes, maxImagePixels: 1_000_000 };
const examiner = {
  decode,
  vocabulary: openVocabulary(loadVocabulary()),
  packetKey: new Uint8Array(32),
};
const [width, height] = [300, 200];
const raw = { width, height, channels: 3 } as const;
const png = await sharp(paintPicture(61, width, height), { raw })
  .png()
  .toBuffer();

/** Everything of the kernels' memory that jobs work in. */
function workingMemory(): Uint8Array {
  using arena = new Arena({ start: 0 });
  const { start } = arena.at;
  return bytesAt(start, kernels.memory.buffer.byteLength - start);
}

it("leaves nothing of the picture in the kernels' memory", async () => {
  await examineImage(png, "registration", examiner);
  expect(workingMemory().length).toBeGreaterThan(1_000_000);
  expect(workingMemory().every((byte) => byte === 0)).toBe(true);
  expect(bytesAt(kernels.descriptor.value, 512).every((byte) => byte === 0)).toBe(true);
});

it("leaves nothing of what a query is compared with there either", async () => {
  const { original } = await examineImage(png, "registration", examiner);
  const { query } = await examineImage(png, "lookup", examiner);
  const candidate = { id: 1, original: readPacket(original!.packet)! };
  expect(matchQuery(readQueryState(query), [candidate], examiner.packetKey)).toHaveLength(1);
  expect(workingMemory().every((byte) => byte === 0)).toBe(true);
});

it("empties a raster that is discarded", async () => {
  const picture = await decodeImage(png, decode);
  expect(picture.data.length).toBe(3 * width * height);
  discardRaster(picture);
  expect(picture.data.length).toBe(0);
});

it("keeps the luma in the query's one buffer only", async () => {
  const { query } = await examineImage(png, "lookup", examiner);
  const { luma, features } = readQueryState(query);
  expect([luma.width, luma.height]).toEqual([width, height]);
  expect(luma.data.some((value) => value !== 0)).toBe(true);
  new Uint8Array(query).fill(0);
  expect(luma.data.every((value) => value === 0)).toBe(true);
  expect(features.bits.every((word) => word === 0)).toBe(true);
});
