import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { encodePicture, seededRandom } from "@colophon/testing/pictures.ts";
import { DRAWN_INPUTS, WEIGHT_ONE, drawnInputs, drawnOdds } from "../../src/features/drawn.ts";
import { HIDDEN_WEIGHTS, OUTPUT_WEIGHTS } from "../../src/features/drawn-model.ts";
import type { Features } from "../../src/features/features.ts";
import { registerOriginal, scene } from "../matching/pictures.ts";

const EVEN = 128;

const [WIDTH, HEIGHT, EM] = [760, 600, 14];

/** A page of figures as letters are: strokes of one width, upright and level. */
function page(seed: number): Promise<Uint8Array> {
  const random = seededRandom(seed);
  const data = new Uint8Array(3 * WIDTH * HEIGHT).fill(255);
  const fill = (left: number, top: number, width: number, height: number): void => {
    for (let y = top; y < top + height; y += 1) {
      data.fill(30, 3 * (y * WIDTH + left), 3 * (y * WIDTH + left + width));
    }
  };
  for (let y = 20; y + EM < HEIGHT - 20; y += 2 * EM) {
    for (let x = 20; x + EM < WIDTH - 20; x += EM) {
      if (random() < 0.15) continue;
      for (const right of [0, 8]) if (random() < 0.6) fill(x + right, y, 2, EM);
      for (const down of [0, 6, 12]) if (random() < 0.5) fill(x, y + down, 10, 2);
    }
  }
  return encodePicture(data, WIDTH, HEIGHT);
}

async function oddsOf(image: Uint8Array): Promise<Uint8Array> {
  return drawnOdds((await registerOriginal(1, image)).original.features);
}

const shareDrawn = (odds: Uint8Array): number => odds.filter((each) => each > EVEN).length / odds.length;

describe("most points", () => {
  test.each([1, 2, 3])("of lettering look drawn (page %i)", async (seed) => {
    expect(shareDrawn(await oddsOf(await page(seed)))).toBeGreaterThan(2 / 3);
  });
  test.each([8101, 8102, 8103])("of what is not look photographed (scene %i)", async (seed) => {
    expect(shareDrawn(await oddsOf(await scene(seed)))).toBeLessThan(0.5);
  });
});

/** Points of any bits and sizes. */
function anyPoints(count: number): Features {
  const random = seededRandom(7);
  return {
    width: 480,
    height: 320,
    count,
    size: Float32Array.from({ length: count }, () => 2 + 60 * random()),
    bits: Uint32Array.from({ length: 4 * count }, () => 4_294_967_296 * random()),
  } as Features;
}

test("the odds are what the network makes of the inputs that it learned from", () => {
  const features = anyPoints(50);
  const units = OUTPUT_WEIGHTS.length - 1;
  const inputs = new Int8Array(DRAWN_INPUTS);
  for (const [i, odds] of drawnOdds(features).entries()) {
    drawnInputs(features, i, inputs);
    const answers = Array.from({ length: units }, (_, unit) =>
      inputs.reduce((sum, input, at) => sum + input * HIDDEN_WEIGHTS[units * at + unit]!, 0),
    );
    const sum = answers.reduce(
      (so, answer, unit) => so + OUTPUT_WEIGHTS[unit]! * Math.max(0, answer),
      WEIGHT_ONE * OUTPUT_WEIGHTS[units]!,
    );
    expect(odds).toBe(Math.max(0, Math.min(255, EVEN + Math.floor((32 * sum) / WEIGHT_ONE ** 2))));
  }
});

test("the odds are the same on every machine", () => {
  const odds = drawnOdds(anyPoints(500));
  expect(new Set(odds).size).toBeGreaterThan(50);
  expect(createHash("sha256").update(odds).digest("hex")).toBe(
    "bc1005ee24398df7dfdefe54dff6f300635af5cf6d31da5cdee20ad109988a99",
  );
});
