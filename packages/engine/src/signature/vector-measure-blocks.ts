import { type PlanarMap, invertMap } from "../geometry/planar-map.ts";
import type { Luma } from "../image/luma.ts";
import { BLOCK } from "./projections.ts";
import { Arena, bytesAt, doublesAt } from "../wasm/arena.ts";
import { kernels } from "../wasm/kernels.ts";
import { type BlockMeasures, MEASURES } from "./block-measures.ts";
import { copyPart, partFor } from "../image/part.ts";

const DOUBLE = 8;
const SCRATCH = 1568;

/** The cells that blocks about these centres reach to. */
function reach(centres: ArrayLike<number>): [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let k = 0; k < centres.length; k += 1) {
    least = Math.min(least, centres[k]!);
    most = Math.max(most, centres[k]!);
  }
  return [Math.floor(least - BLOCK / 2), Math.ceil(most + BLOCK / 2)];
}

/** `measureBlocks` with the vector kernels. */
export function vectorMeasureBlocks(
  { x, y }: { readonly x: ArrayLike<number>; readonly y: ArrayLike<number> },
  map: PlanarMap,
  luma: Luma,
): BlockMeasures {
  const count = x.length;
  const toLuma = invertMap(map);
  const columns = new Uint8Array(MEASURES.length * count);
  if (toLuma !== null && count > 0) {
    const [[left, right], [top, bottom]] = [reach(x), reach(y)];
    const part = partFor(luma, toLuma, { left, top, right, bottom });
    const pixels = (part.right - part.left) * (part.bottom - part.top);
    using arena = new Arena({
      from: pixels,
      numbers: DOUBLE * toLuma.length,
      places: 2 * DOUBLE * count,
      scratch: SCRATCH,
      target: columns.length,
    });
    const { from, numbers, places, scratch, target } = arena.at;
    copyPart(luma, part, bytesAt(from, pixels));
    doublesAt(numbers, toLuma.length).set(toLuma);
    const centres = doublesAt(places, 2 * count);
    for (let k = 0; k < count; k += 1) {
      centres[2 * k] = x[k]!;
      centres[2 * k + 1] = y[k]!;
    }
    const stride = part.right - part.left;
    const { width, height } = luma;
    kernels.measureBlocks(
      from,
      stride,
      part.left,
      part.top,
      width,
      height,
      numbers,
      places,
      count,
      scratch,
      target,
    );
    columns.set(bytesAt(target, columns.length));
  }
  const column = (measure: keyof BlockMeasures): Uint8Array => {
    const at = MEASURES.indexOf(measure) * count;
    return columns.subarray(at, at + count);
  };
  return {
    contrast: column("contrast"),
    low: column("low"),
    high: column("high"),
    first: column("first"),
    second: column("second"),
    oneWay: column("oneWay"),
  };
}
