import { rescalingMap } from "../geometry/rescale.ts";
import { discard } from "../image/discard.ts";
import type { Luma } from "../image/luma.ts";
import { WEAK, kindsByLooks } from "./block-kinds.ts";
import { type ResidualLayer, blockX, blockY } from "./block-signature.ts";
import { type Keyed, keyStream } from "./key-stream.ts";
import { vectorMeasureBlocks } from "./vector-measure-blocks.ts";

const BITS = 4;
const MASK = (1 << BITS) - 1;
const COUNT_BYTES = 2;

/**
 * Kinds under the key stream of one original, or such bytes without it: where nothing is to be seen must not show
 * without the key.
 */
export function underKey(bytes: Uint8Array, keyed: Keyed): Uint8Array {
  return keyStream("colophon kinds 1", keyed, 0).update(bytes);
}

const packedLength = (blocks: number): number => Math.ceil((BITS * blocks) / 8);

/** What each block of a layer shows, of the picture's own pixels. */
function kindsOn(luma: Luma, layer: ResidualLayer): Uint8Array {
  const blocks = [...layer.bits.keys()];
  const centres = { x: blocks.map((k) => blockX(k, layer)), y: blocks.map((k) => blockY(k, layer)) };
  const measures = vectorMeasureBlocks(centres, rescalingMap(luma, layer), luma);
  const kinds = kindsByLooks(measures);
  for (const column of Object.values(measures) as Uint8Array[]) discard(column);
  return kinds;
}

/**
 * What each block of an original shows by itself, whatever the key: its `KINDS` by number, `WEAK` where there is
 * nothing to speak of. `luma`: the oriented picture, at most 1,600 px. Layout, `underKey`, little-endian: for each
 * layer u16 blocks, then four bits a block, the lower ones first.
 */
export function ownKinds(luma: Luma, layers: readonly ResidualLayer[], keyed: Keyed): Uint8Array {
  const kinds = layers.map((layer) => kindsOn(luma, layer));
  const bytes = new Uint8Array(
    kinds.reduce((sum, { length }) => sum + COUNT_BYTES + packedLength(length), 0),
  );
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const each of kinds) {
    view.setUint16(at, each.length, true);
    at += COUNT_BYTES;
    for (const [k, kind] of each.entries()) bytes[at + (k >> 1)]! |= kind << (BITS * (k & 1));
    at += packedLength(each.length);
  }
  const masked = underKey(bytes, keyed);
  for (const each of [bytes, ...kinds]) discard(each);
  return masked;
}

/** What `ownKinds` wrote of a layer; null where nothing is known of it, as of originals from before it was kept. */
export function readOwnKinds(
  masked: Uint8Array,
  { number, bits }: ResidualLayer,
  keyed: Keyed,
): Uint8Array | null {
  const bytes = underKey(masked, keyed);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  for (let layer = 0; at + COUNT_BYTES <= bytes.length; layer += 1) {
    const blocks = view.getUint16(at, true);
    at += COUNT_BYTES;
    if (layer === number) {
      if (blocks !== bits.length || at + packedLength(blocks) > bytes.length) return null;
      const kindOf = (k: number): number => (bytes[at + (k >> 1)]! >> (BITS * (k & 1))) & MASK;
      return Uint8Array.from(bits, (_, k) => Math.min(WEAK, kindOf(k)));
    }
    at += packedLength(blocks);
  }
  return null;
}
