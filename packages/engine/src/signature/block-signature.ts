import type { Luma } from "../image/luma.ts";
import { bandInto } from "../image/vector-split-bands.ts";
import type { Plane } from "../image/plane.ts";
import { fitPlane } from "../image/resize-plane.ts";
import { Arena } from "../wasm/arena.ts";
import { type PlaneAt, planeBytes, valuesAt } from "../wasm/plane-at.ts";
import { BITS_PER_BLOCK, BLOCK, Projections } from "./projections.ts";
import { BlockProjector } from "./vector-project-block.ts";

/** One map of an original: its longer side in cells, and the step from block to block. */
export interface LayerKind {
  readonly side: number;
  readonly step: number;
  /** The smallest picture, by its longer side, that has this layer. */
  readonly from: number;
}

/** Longer side of the finest map, cells: pictures without a layer of it have the map as well. */
const FINEST_SIDE = 384;

/** A picture's finest map. The caller zeroes it. `luma`: the oriented picture, at most 1,600 px. */
export function finestMap(luma: Luma): Plane {
  return fitPlane(luma, FINEST_SIDE);
}

/** The whole picture at 192 cells, and twice as fine for crops that leave too few blocks of the first. */
export const LAYERS: readonly LayerKind[] = [
  { side: 192, step: 8, from: 0 },
  { side: FINEST_SIDE, step: 12, from: 320 },
];

/** Distance of the first block from the map's border, in cells. */
const MARGIN = 2;
/** A band-pass value that is only rounding. */
const EMPTY = 1e-3;

/** One layer of an original's signature: 16 bits a block, row by row. */
export interface ResidualLayer {
  readonly kind: LayerKind;
  readonly number: number;
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly bits: Uint16Array;
}

/** Left or top edge of the nth block. */
export const blockStart = (n: number, kind: LayerKind): number => MARGIN + n * kind.step;

/** Centre of a block, cells. */
export const blockX = (block: number, { columns, kind }: ResidualLayer): number =>
  blockStart(block % columns, kind) + (BLOCK - 1) / 2;
export const blockY = (block: number, { columns, kind }: ResidualLayer): number =>
  blockStart(Math.floor(block / columns), kind) + (BLOCK - 1) / 2;

const blocksAlong = (length: number, kind: LayerKind): number =>
  Math.max(0, Math.floor((length - BLOCK - 2 * MARGIN) / kind.step) + 1);

function bitsOf(band: PlaneAt, kind: LayerKind, projections: Projections): Uint16Array {
  const columns = blocksAlong(band.width, kind);
  const rows = blocksAlong(band.height, kind);
  const bits = new Uint16Array(columns * rows);
  using projector = new BlockProjector(band, projections, 0);
  const { patch, products } = projector;
  for (let block = 0; block < bits.length; block += 1) {
    projector.project(
      block,
      blockStart(block % columns, kind),
      blockStart(Math.floor(block / columns), kind),
    );
    if (patch.every((value) => Math.abs(value) < EMPTY)) {
      bits[block] = projections.bitsOfEmpty(block);
      continue;
    }
    let signs = 0;
    for (let bit = 0; bit < BITS_PER_BLOCK; bit += 1) if (products[bit]! >= 0) signs |= 1 << bit;
    bits[block] = signs;
  }
  return bits;
}

/** The bits of each block of a map. */
function layerBits({ width, height, data }: Plane, kind: LayerKind, projections: Projections): Uint16Array {
  const bytes = planeBytes(width * height);
  using arena = new Arena({ luma: bytes, band: bytes });
  const luma = { width, height, at: arena.at.luma };
  const band = { width, height, at: arena.at.band };
  valuesAt(luma).set(data);
  bandInto(luma, band.at);
  return bitsOf(band, kind, projections);
}

/**
 * The keyed signature that tells a derived picture from another photograph of the same scene: for each 12 x 12 block of
 * the band-passed luma map, 16 signs of products of two secret projections. No picture can be drawn from it, with or
 * without the key. `luma`: the oriented picture, at most 1,600 px; `finest`: its `finestMap`; `packetKey`: the
 * deployment's 32 secret bytes; `packetId`: 16 bytes. Layout, little-endian: u8 number of layers; for each u16 width,
 * u16 height, then u16 a block.
 */
export function residualSignature(
  luma: Luma,
  finest: Plane,
  packetKey: Uint8Array,
  packetId: Uint8Array,
): Uint8Array {
  const layers = LAYERS.flatMap((kind, number) => {
    if (Math.max(luma.width, luma.height) < kind.from) return [];
    const map = kind.side === FINEST_SIDE ? finest : fitPlane(luma, kind.side);
    const { width, height } = map;
    const blocks = blocksAlong(width, kind) * blocksAlong(height, kind);
    return [
      {
        width,
        height,
        bits: layerBits(map, kind, new Projections(packetKey, packetId, number, blocks)),
      },
    ];
  });
  const bytes = new Uint8Array(1 + layers.reduce((sum, { bits }) => sum + 4 + 2 * bits.length, 0));
  const view = new DataView(bytes.buffer);
  bytes[0] = layers.length;
  let at = 1;
  for (const { width, height, bits } of layers) {
    view.setUint16(at, width, true);
    view.setUint16(at + 2, height, true);
    at += 4;
    for (const value of bits) {
      view.setUint16(at, value, true);
      at += 2;
    }
  }
  return bytes;
}

/** Reads what `residualSignature` wrote; null when the bytes are not such a signature. */
export function readResidual(bytes: Uint8Array): readonly ResidualLayer[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const layers: ResidualLayer[] = [];
  let at = 1;
  if (bytes.length === 0 || bytes[0]! > LAYERS.length) return null;
  for (let number = 0; number < bytes[0]!; number += 1) {
    const kind = LAYERS[number]!;
    if (at + 4 > bytes.length) return null;
    const width = view.getUint16(at, true);
    const height = view.getUint16(at + 2, true);
    at += 4;
    const columns = blocksAlong(width, kind);
    const count = columns * blocksAlong(height, kind);
    if (width > kind.side || height > kind.side || at + 2 * count > bytes.length) return null;
    const bits = new Uint16Array(count);
    for (let block = 0; block < count; block += 1, at += 2) bits[block] = view.getUint16(at, true);
    layers.push({ kind, number, width, height, columns, bits });
  }
  return at === bytes.length ? layers : null;
}
