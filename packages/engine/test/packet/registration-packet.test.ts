import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstFeatures } from "../../src/features/join-features.ts";
import type { StoredOriginal } from "../../src/packet/original.ts";
import {
  decodePacket,
  encodePacket,
  MAX_PACKET_POINTS,
  PacketUnreadable,
} from "../../src/packet/registration-packet.ts";

const uint8s = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength: length, maxLength: length });

const originals: fc.Arbitrary<StoredOriginal> = fc
  .record({
    width: fc.integer({ min: 1, max: 511 }),
    height: fc.integer({ min: 1, max: 511 }),
    count: fc.integer({ min: 0, max: MAX_PACKET_POINTS }),
    inSmall: fc.integer({ min: 0, max: MAX_PACKET_POINTS }),
    wholeLength: fc.integer({ min: 0, max: 80 }),
    residualLength: fc.integer({ min: 0, max: 2000 }),
    kindsLength: fc.integer({ min: 0, max: 600 }),
  })
  .chain(({ width, height, count, inSmall, wholeLength, residualLength, kindsLength }) => {
    const floats = (max: number, min = 0): fc.Arbitrary<Float32Array> =>
      fc.float32Array({ minLength: count, maxLength: count, min, max, noNaN: true });
    const ofAll = fc.record({
      packetId: uint8s(16),
      placing: fc.record({
        width: fc.constant(width),
        height: fc.constant(height),
        count: fc.constant(count),
        x: floats(width - 0.5),
        y: floats(height - 0.5),
        size: floats(1000, 1),
        angle: floats(Math.fround(6.28)),
        response: fc.constant(new Float32Array(count)),
        bits: fc.uint32Array({ minLength: 4 * count, maxLength: 4 * count }),
      }),
      wordTags: fc.uint16Array({ minLength: count, maxLength: count }),
      whole: uint8s(wholeLength),
      residual: uint8s(residualLength),
      kinds: uint8s(kindsLength),
    });
    const own = Math.max(0, count - inSmall);
    return ofAll.map((all) => ({ ...all, features: firstFeatures(all.placing, own) }));
  });

const VERSION_AT = 3;

/**
 * How long the beginning of each earlier version is: before version 3 it does not say how many points are the
 * original's own, as all are.
 */
const BEGINNINGS: Readonly<Record<number, number>> = { 1: 32, 2: 32, 3: 34 };
const BEGINNING = 36;

/** A packet that does not say what blocks show, as one of an earlier version. */
function ofVersion(version: number, packet: Uint8Array): Uint8Array {
  const before = packet.map((byte, i) => (i === VERSION_AT ? version : byte));
  return Uint8Array.of(...before.subarray(0, BEGINNINGS[version]), ...before.subarray(BEGINNING));
}

/** The packet written again after reading it, as the version that it was of, or the name of the error. */
function readAndPack(bytes: Uint8Array): Uint8Array | string {
  try {
    const packet = encodePacket(decodePacket(bytes));
    const version = bytes[VERSION_AT]!;
    return version < 4 ? ofVersion(version, packet) : packet;
  } catch (error) {
    return error instanceof Error ? error.name : "unknown";
  }
}

describe("registration packet", () => {
  it("gives back what it was given, to its steps", () => {
    fc.assert(
      fc.property(originals, (original) => {
        const read = decodePacket(encodePacket(original));
        const { x, y, size, angle, ...exact } = original.placing;
        expect(read.placing).toMatchObject(exact);
        expect(read.features).toEqual(firstFeatures(read.placing, original.features.count));
        expect([read.packetId, read.wordTags, read.whole, read.residual, read.kinds]).toEqual([
          original.packetId,
          original.wordTags,
          original.whole,
          original.residual,
          original.kinds,
        ]);
        for (let i = 0; i < exact.count; i += 1) {
          expect(Math.abs(read.placing.x[i]! - x[i]!)).toBeLessThanOrEqual(1 / 16);
          expect(Math.abs(read.placing.y[i]! - y[i]!)).toBeLessThanOrEqual(1 / 16);
          expect(Math.abs(Math.log2(read.placing.size[i]! / size[i]!))).toBeLessThanOrEqual(1 / 47);
          const turn = Math.abs(read.placing.angle[i]! - angle[i]!);
          expect(Math.min(turn, 2 * Math.PI - turn)).toBeLessThanOrEqual(Math.PI / 255);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("packs what it read to the same bytes", () => {
    fc.assert(
      fc.property(originals, (original) => {
        const packet = encodePacket(original);
        expect(encodePacket(decodePacket(packet))).toEqual(packet);
      }),
      { numRuns: 50 },
    );
  });

  it.each([1, 2])("reads those of version %i, whose points are all the original's own", (version) => {
    const [original] = fc.sample(originals, { numRuns: 1, seed: 5 });
    const packet = encodePacket({ ...original!, features: original!.placing, kinds: new Uint8Array(0) });
    expect(decodePacket(ofVersion(version, packet))).toEqual(decodePacket(packet));
  });

  it("reads those of version 3, which do not say what blocks show", () => {
    const [original] = fc.sample(originals, { numRuns: 1, seed: 5 });
    const packet = encodePacket({ ...original!, kinds: new Uint8Array(0) });
    expect(decodePacket(ofVersion(3, packet))).toEqual(decodePacket(packet));
  });

  it("reads a packet at any offset of a larger buffer", () => {
    const [original] = fc.sample(originals, { numRuns: 1, seed: 3 });
    const packet = encodePacket(original!);
    const larger = new Uint8Array(packet.length + 9);
    larger.set(packet, 5);
    expect(decodePacket(larger.subarray(5, 5 + packet.length))).toEqual(decodePacket(packet));
    expect(encodePacket(decodePacket(Buffer.concat([Buffer.alloc(3), packet]).subarray(3)))).toEqual(packet);
  });

  it("refuses anything else by one name", () => {
    const [original] = fc.sample(originals, { numRuns: 1, seed: 7 });
    const packet = encodePacket(original!);
    const damaged = fc.oneof(
      fc.uint8Array({ maxLength: 3000 }),
      fc.nat(packet.length - 1).map((length) => packet.slice(0, length)),
      fc.uint8Array({ minLength: 1, maxLength: 9 }).map((tail) => new Uint8Array([...packet, ...tail])),
      fc
        .tuple(fc.nat(11), fc.integer({ min: 1, max: 255 }))
        .map(([at, flip]) => packet.map((byte, i) => (i === at ? byte ^ flip : byte))),
    );
    fc.assert(
      fc.property(damaged, (bytes) => {
        // Where no check of length or place notices the damage, the bytes must still mean what they say.
        expect([PacketUnreadable.name, bytes]).toContainEqual(readAndPack(bytes));
      }),
      { numRuns: 500 },
    );
  });

  it("does not pack what the layout cannot hold", () => {
    const [original] = fc.sample(originals, { numRuns: 1, seed: 9 });
    expect(() => encodePacket({ ...original!, packetId: new Uint8Array(15) })).toThrow(RangeError);
    expect(() => encodePacket({ ...original!, residual: new Uint8Array(8193) })).toThrow(RangeError);
  });
});
