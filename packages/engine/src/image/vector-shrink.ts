import { Arena, arenaBytes, bytesAt, doublesAt, floatsAt, integersAt } from "../wasm/arena.ts";
import { kernels } from "../wasm/kernels.ts";
import type { Luma } from "./luma.ts";
import type { Plane } from "./plane.ts";
import { type AreaWeights, areaWeights } from "./resample.ts";

const FLOAT = 4;
const DOUBLE = 8;
/** What vectors read and write past the end of a piece. */
const SPARE = 16;
/** Rows that are shrunk side by side. */
const ROWS = 4;

const weightBytes = ({ first, weights }: AreaWeights): number =>
  2 * arenaBytes(FLOAT * first.length) + arenaBytes(DOUBLE * weights.length);

/** Lays the weights of one axis, rounded to float32, into the kernels' memory: pointers of where cells begin, how long they are, and the weights. */
function lay(arena: Arena, { first, length, weights }: AreaWeights): readonly [number, number, number] {
  const begin = arena.allocate(FLOAT * first.length);
  const count = arena.allocate(FLOAT * length.length);
  const share = arena.allocate(DOUBLE * weights.length);
  integersAt(begin, first.length).set(first);
  integersAt(count, length.length).set(length);
  doublesAt(share, weights.length).set(Float32Array.from(weights));
  return [begin, count, share];
}

/** `shrink` with the vector kernels. */
export function vectorShrink(source: Luma, width: number, height: number): Plane {
  if (width === source.width && height === source.height) {
    return { width, height, data: Float32Array.from(source.data) };
  }
  const columns = areaWeights(source.width, width, "multiples");
  const lines = areaWeights(source.height, height, "multiples");
  const sizes = {
    source: source.data.length + SPARE,
    scratch: ROWS * DOUBLE * source.width + ROWS * ROWS * DOUBLE,
    rows: FLOAT * width * source.height + SPARE,
    target: FLOAT * width * height + SPARE,
  };
  const pieces = Object.values(sizes).reduce((sum, size) => sum + arenaBytes(size), 0);
  using arena = new Arena(pieces + weightBytes(columns) + weightBytes(lines));
  const at = {
    source: arena.allocate(sizes.source),
    scratch: arena.allocate(sizes.scratch),
    rows: arena.allocate(sizes.rows),
    target: arena.allocate(sizes.target),
  };
  bytesAt(at.source, source.data.length).set(source.data);
  const across = lay(arena, columns);
  const down = lay(arena, lines);
  const { taps } = columns;
  kernels.shrinkRows(at.source, source.width, source.height, ...across, taps, width, at.scratch, at.rows);
  kernels.shrinkColumns(at.rows, width, ...down, lines.taps, height, at.target);
  return { width, height, data: floatsAt(at.target, width * height).slice() };
}
