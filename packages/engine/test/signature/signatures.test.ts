import sharp, { type Sharp } from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { paintedPicture, paintPicture } from "@colophon/testing/pictures.ts";
import type { Luma } from "../../src/image/luma.ts";
import { jpegQuantisation } from "../../src/image/coded/jpeg-quantisation.ts";
import { noiseOf } from "../../src/image/noise.ts";
import { Projections } from "../../src/signature/projections.ts";
import { finestMap, readResidual, residualSignature } from "../../src/signature/block-signature.ts";
import {
  WHOLE_SIGNATURE_BYTES,
  cosineTerms,
  wholeQueryWords,
  wholeSignature,
  wholeWords,
} from "../../src/signature/whole-signature.ts";
import { QueryTurns, type WholeTurn } from "../../src/matching/place/whole-picture.ts";
import { lumaOf } from "../../src/image/raster.ts";
import { PACKET_KEY } from "../matching/pictures.ts";

const ID = Uint8Array.from({ length: 16 }, (_, i) => i);

function painted(seed: number, width = 480, height = 320): Luma {
  return lumaOf({ width, height, data: paintPicture(seed, width, height) }, 1600);
}

function flat(level: number): Luma {
  return { width: 400, height: 300, data: new Uint8Array(120_000).fill(level) };
}

function residualOf(luma: Luma, packetKey: Uint8Array, packetId: Uint8Array): Uint8Array {
  return residualSignature(luma, finestMap(luma), packetKey, packetId);
}

function wholeOf(luma: Luma): Uint8Array {
  return wholeSignature(cosineTerms(luma), finestMap(luma));
}

/** Share of equal bits of two signatures. */
function likeness(a: Uint8Array, b: Uint8Array): number {
  const [one, other] = [readResidual(a)![0]!.bits, readResidual(b)![0]!.bits];
  let equal = 0;
  for (const [k, bits] of one.entries()) {
    for (let bit = 0; bit < 16; bit += 1) if (((bits ^ other[k]!) >> bit) % 2 === 0) equal += 1;
  }
  return equal / (16 * one.length);
}

describe("residual signature", () => {
  test("reads back, in the documented size", () => {
    const signature = residualOf(painted(1), PACKET_KEY, ID);
    const layers = readResidual(signature)!;
    expect(layers.map(({ width, height }) => [width, height])).toEqual([
      [192, 128],
      [384, 256],
    ]);
    expect(signature).toHaveLength(1 + layers.reduce((sum, { bits }) => sum + 4 + 2 * bits.length, 0));
    expect(signature.length).toBeLessThan(3000);
  });

  test("same picture, key and id give the same bytes; another key or id gives unrelated bits", () => {
    const luma = painted(1);
    const signature = residualOf(luma, PACKET_KEY, ID);
    expect(residualOf(luma, PACKET_KEY, ID)).toEqual(signature);
    expect(likeness(signature, residualOf(luma, new Uint8Array(32), ID))).toBeCloseTo(0.5, 1);
    expect(likeness(signature, residualOf(luma, PACKET_KEY, new Uint8Array(16)))).toBeCloseTo(0.5, 1);
  });

  test("an empty picture does not show as one", () => {
    const bits = readResidual(residualOf(flat(200), PACKET_KEY, ID))![0]!.bits;
    expect(new Set(bits).size).toBeGreaterThan(0.9 * bits.length);
    const projections = new Projections(PACKET_KEY, ID, 0, bits.length);
    expect([...bits]).toEqual(Array.from(bits, (_, block) => projections.bitsOfEmpty(block)));
  });

  test.each([1, 2, 7])("refuses bytes that are cut short by %i or run on", (missing) => {
    const signature = residualOf(painted(1), PACKET_KEY, ID);
    expect(readResidual(signature.subarray(0, signature.length - missing))).toBeNull();
    expect(readResidual(new Uint8Array([...signature, 0]))).toBeNull();
    expect(readResidual(new Uint8Array(0))).toBeNull();
  });
});

describe("whole signature", () => {
  const turns: [WholeTurn, (picture: Sharp) => Sharp][] = [
    [{ turn: 1, isInverted: false }, (picture) => picture.flop()],
    [{ turn: 2, isInverted: false }, (picture) => picture.flip()],
    [{ turn: 3, isInverted: false }, (picture) => picture.rotate(180)],
    [{ turn: 0, isInverted: true }, (picture) => picture.negate()],
  ];
  let picture: Uint8Array;
  beforeAll(async () => {
    picture = await paintedPicture(3, 480, 320, "png");
  });

  async function turned(turn: (picture: Sharp) => Sharp): Promise<Luma> {
    const { data, info } = await turn(sharp(picture)).raw().toBuffer({ resolveWithObject: true });
    return lumaOf({ width: info.width, height: info.height, data }, 1600);
  }

  test.each(turns)("%o is told of a picture", async (told, edit) => {
    const signature = wholeOf(await turned((plain) => plain));
    expect(signature).toHaveLength(WHOLE_SIGNATURE_BYTES);
    expect(new QueryTurns(cosineTerms(await turned(edit))).best(signature)).toEqual(told);
  });

  test("another picture is told in no turn", () => {
    expect(new QueryTurns(cosineTerms(painted(4))).best(wholeOf(painted(3)))).toBeNull();
  });

  test("a transposed picture is recognised", () => {
    const plain = painted(3);
    const { width, height, data } = plain;
    const across = {
      width: height,
      height: width,
      data: data.map((_, k) => data[(k % height) * width + Math.floor(k / height)]!),
    };
    const told = new QueryTurns(cosineTerms(across)).best(wholeOf(plain));
    expect(told).toEqual({ turn: 4, isInverted: false });
  });

  test("pictures with few points are filed under words that every turn of them asks with", async () => {
    const filed = wholeWords(wholeOf(await turned((plain) => plain)), 20);
    expect(wholeWords(wholeOf(painted(3)), 600)).toHaveLength(0);
    expect(filed.every((word) => word < 0)).toBe(true);
    for (const [, edit] of turns) {
      const known = new Set(wholeQueryWords(cosineTerms(await turned(edit))));
      expect(filed.filter((word) => known.has(word)).length).toBeGreaterThanOrEqual(8);
    }
  });
});

async function coded(quality: number): Promise<number> {
  const raw = { width: 64, height: 64, channels: 3 } as const;
  return jpegQuantisation(
    new Uint8Array(
      await sharp(paintPicture(1, 64, 64), { raw })
        .jpeg({ quality })
        .toBuffer(),
    ),
  );
}

test("the quantisation of a JPEG follows its quality and is 0 for anything else", async () => {
  expect(await coded(95)).toBeLessThan(4);
  expect(await coded(50)).toBeGreaterThan(10);
  expect(await coded(5)).toBeGreaterThan(100);
  expect(jpegQuantisation(await paintedPicture(1, 64, 64, "png"))).toBe(0);
  expect(jpegQuantisation(Uint8Array.of(0xff, 0xd8, 0xff, 0xdb, 0, 67, 0))).toBe(0);
});

test("noise is measured in luma levels, and a smooth picture has none", () => {
  expect(noiseOf(flat(90))).toBe(0);
  const grainy = flat(90);
  let state = 1;
  for (let k = 0; k < grainy.data.length; k += 1) {
    let sum = 0;
    for (let n = 0; n < 12; n += 1) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      sum += state / 2 ** 32 - 0.5;
    }
    grainy.data[k] = 90 + 15 * sum;
  }
  expect(noiseOf(grainy)).toBeGreaterThan(12);
  expect(noiseOf(grainy)).toBeLessThan(18);
});
