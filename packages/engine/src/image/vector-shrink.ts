import { Arena, bytesAt, floatsAt } from "../wasm/arena.ts";
import { kernels } from "../wasm/kernels.ts";
import { LaidWeights } from "./laid-weights.ts";
import type { Luma } from "./luma.ts";
import type { Plane } from "./plane.ts";
import { type AreaWeights, areaWeights } from "./resample.ts";

const FLOAT = 4;
const DOUBLE = 8;
/** What vectors read and write past the end of a piece. */
const SPARE = 16;
/** Rows that are shrunk side by side. */
const ROWS = 4;

/** Weights of one axis, rounded to float32. */
function roundedWeights(from: number, to: number): AreaWeights {
  const exact = areaWeights(from, to, "multiples");
  return { ...exact, weights: exact.weights.map(Math.fround) };
}

/** `shrink` with the vector kernels. */
export function vectorShrink(source: Luma, width: number, height: number): Plane {
  if (width === source.width && height === source.height) {
    return { width, height, data: Float32Array.from(source.data) };
  }
  const columns = roundedWeights(source.width, width);
  const lines = roundedWeights(source.height, height);
  using across = new LaidWeights(columns);
  using down = new LaidWeights(lines);
  using arena = new Arena({
    source: source.data.length + SPARE,
    scratch: ROWS * DOUBLE * source.width + ROWS * ROWS * DOUBLE,
    rows: FLOAT * width * source.height + SPARE,
    target: FLOAT * width * height + SPARE,
  });
  const { at } = arena;
  bytesAt(at.source, source.data.length).set(source.data);
  kernels.shrinkRows(
    at.source,
    source.width,
    source.height,
    ...across.pointers,
    columns.taps,
    width,
    at.scratch,
    at.rows,
  );
  kernels.shrinkColumns(at.rows, width, ...down.pointers, lines.taps, height, at.target);
  return { width, height, data: floatsAt(at.target, width * height).slice() };
}
