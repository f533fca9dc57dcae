import * as fc from "fast-check";
import { seededRandom } from "@colophon/testing/pictures.ts";
import { describe, expect, test } from "vitest";
import type { Luma } from "../../src/image/luma.ts";
import { GRAPHIC, NATURAL, RULE, WEAK } from "../../src/signature/block-kinds.ts";
import {
  type ResidualLayer,
  blockX,
  finestMap,
  readResidual,
  residualSignature,
} from "../../src/signature/block-signature.ts";
import { ownKinds, readOwnKinds, underKey } from "../../src/signature/own-kinds.ts";

const [WIDTH, HEIGHT] = [900, 600];
const random = seededRandom(11);
const GRAIN = Array.from({ length: WIDTH * HEIGHT }, () => random());

/** Three pictures beside each other: letters on white, hills of light with grain, and one grey. */
const PICTURE: Luma = {
  width: WIDTH,
  height: HEIGHT,
  data: Uint8Array.from({ length: WIDTH * HEIGHT }, (_, at) => {
    const [x, y] = [at % WIDTH, Math.floor(at / WIDTH)];
    if (x < WIDTH / 3) return y % 14 < 8 && (x * 7 + Math.floor(y / 14) * 5) % 11 < 5 ? 25 : 245;
    if (x < (2 * WIDTH) / 3) return 128 + 60 * Math.sin(x / 17) * Math.cos(y / 23) + 40 * (GRAIN[at]! - 0.5);
    return 120;
  }),
};

const KEYED = { packetKey: new Uint8Array(32).fill(7), packetId: new Uint8Array(16) };
const LAYERS = readResidual(residualSignature(PICTURE, finestMap(PICTURE), KEYED.packetKey, KEYED.packetId))!;
const BYTES = ownKinds(PICTURE, LAYERS, KEYED);

/** The blocks of a layer that lie in the middle of a third of the picture. */
const inThird = (layer: ResidualLayer, third: number): number[] =>
  [...layer.bits.keys()].filter((k) => Math.abs((3 * blockX(k, layer)) / layer.width - third - 0.5) < 0.3);

describe("what an original's blocks show", () => {
  test.each(LAYERS.map((layer) => [layer.kind.side, layer] as const))(
    "is read from its pixels: lettering, something photographed, nothing (map of %i cells)",
    (_, layer) => {
      const kinds = readOwnKinds(BYTES, layer, KEYED)!;
      const shareOf = (third: number, ...sorts: readonly number[]): number => {
        const blocks = inThird(layer, third);
        return blocks.filter((k) => sorts.includes(kinds[k]!)).length / blocks.length;
      };
      expect(kinds).toHaveLength(layer.bits.length);
      expect(shareOf(0, GRAPHIC, RULE)).toBe(1);
      expect(shareOf(1, NATURAL)).toBeGreaterThan(0.9);
      expect(shareOf(2, WEAK)).toBe(1);
    },
  );

  test("takes half a byte a block", () => {
    const blocks = LAYERS.map(({ bits }) => bits.length);
    expect(BYTES).toHaveLength(blocks.reduce((sum, count) => sum + 2 + Math.ceil(count / 2), 0));
  });

  test("is not known of what was registered before it was kept, nor of another raster", () => {
    const [coarse, fine] = LAYERS as [ResidualLayer, ResidualLayer];
    expect(readOwnKinds(new Uint8Array(0), coarse, KEYED)).toBeNull();
    expect(readOwnKinds(BYTES, { ...coarse, bits: fine.bits }, KEYED)).toBeNull();
    expect(readOwnKinds(BYTES.subarray(0, BYTES.length - 1), fine, KEYED)).toBeNull();
  });

  test("does not show without the key: nowhere do the same bytes stand for the same", () => {
    const [coarse] = LAYERS as [ResidualLayer];
    const others = [
      { ...KEYED, packetKey: new Uint8Array(32).fill(8) },
      { ...KEYED, packetId: new Uint8Array(16).fill(1) },
    ];
    for (const keyed of others) {
      const bytes = ownKinds(PICTURE, LAYERS, keyed);
      expect(readOwnKinds(bytes, coarse, keyed)).toEqual(readOwnKinds(BYTES, coarse, KEYED));
      expect(bytes.filter((byte, at) => byte === BYTES[at]).length).toBeLessThan(0.05 * bytes.length);
    }
    expect(new Set(BYTES).size).toBeGreaterThan(100);
  });

  test("is a kind or nothing, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1200 }), fc.nat(2), fc.nat(900), (bytes, number, blocks) => {
        const kinds = readOwnKinds(
          underKey(bytes, KEYED),
          { ...LAYERS[0]!, number, bits: new Uint16Array(blocks) },
          KEYED,
        );
        const isSound = (some: Uint8Array): boolean =>
          some.length === blocks && some.every((kind) => kind <= WEAK);
        expect(kinds === null || isSound(kinds)).toBe(true);
      }),
    );
  });
});
