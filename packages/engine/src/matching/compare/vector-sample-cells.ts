import { type PlanarMap, applyMap, depthAt } from "../../geometry/planar-map.ts";
import type { Plane } from "../../image/plane.ts";
import { Arena, arenaBytes, doublesAt, floatsAt, integersAt } from "../../wasm/arena.ts";
import { kernels } from "../../wasm/kernels.ts";
import type { Cells, SampledCells } from "./sample-cells.ts";

const FLOAT = 4;
const DOUBLE = 8;
/** What vectors read past the end of a piece. */
const SPARE = 16;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Samples beside a place that its value is made of. */
const REACH = 2;

const within = (value: number, length: number): number => Math.min(length - 1, Math.max(0, value));
/** The first sample that the values at these places are made of, and the one after the last. */
const firstOf = (values: readonly number[], length: number): number =>
  Math.max(0, Math.floor(within(Math.min(...values), length)) - REACH);
const endOf = (values: readonly number[], length: number): number =>
  Math.min(length, Math.floor(within(Math.max(...values), length)) + REACH + 2);

/** Which part of the plane the cells of a window are sampled from; all of it where the map has a horizon in the window. */
function partFor(plane: Plane, query: Size, toQuery: PlanarMap, window: Cells): Cells {
  const all = { left: 0, top: 0, right: plane.width, bottom: plane.height };
  const [xs, ys]: [number[], number[]] = [[], []];
  for (const [u, v] of [
    [window.left - 1, window.top - 1],
    [window.right, window.top - 1],
    [window.left - 1, window.bottom],
    [window.right, window.bottom],
  ] as const) {
    if (!(depthAt(toQuery, u, v) > 1e-9)) return all;
    const { x, y } = applyMap(toQuery, u, v);
    xs.push(((x + 0.5) * plane.width) / query.width - 0.5);
    ys.push(((y + 0.5) * plane.height) / query.height - 0.5);
  }
  return {
    left: firstOf(xs, plane.width),
    top: firstOf(ys, plane.height),
    right: endOf(xs, plane.width),
    bottom: endOf(ys, plane.height),
  };
}

/** `sampleCells` with the vector kernels. */
export function vectorSampleCells(
  plane: Plane,
  query: Size,
  toQuery: PlanarMap,
  window: Cells,
): SampledCells {
  const part = partFor(plane, query, toQuery, window);
  const [columns, rows] = [part.right - part.left, part.bottom - part.top];
  const [width, height] = [window.right - window.left, window.bottom - window.top];
  const sizes = {
    part: FLOAT * columns * rows + SPARE,
    map: DOUBLE * toQuery.length,
    data: FLOAT * width * height,
    inside: FLOAT * (width + 1) * (height + 1),
  };
  using arena = new Arena(Object.values(sizes).reduce((sum, size) => sum + arenaBytes(size), 0));
  const at = {
    part: arena.allocate(sizes.part),
    map: arena.allocate(sizes.map),
    data: arena.allocate(sizes.data),
    inside: arena.allocate(sizes.inside),
  };
  const target = floatsAt(at.part, columns * rows);
  for (let row = 0; row < rows; row += 1) {
    const from = (part.top + row) * plane.width + part.left;
    target.set(plane.data.subarray(from, from + columns), row * columns);
  }
  doublesAt(at.map, toQuery.length).set(toQuery);
  kernels.sampleWindow(
    at.part,
    columns,
    part.left,
    part.top,
    plane.width,
    plane.height,
    query.width,
    query.height,
    at.map,
    window.left,
    window.top,
    width,
    height,
    at.data,
    at.inside,
  );
  return {
    luma: { width, height, data: floatsAt(at.data, width * height).slice() },
    inside: integersAt(at.inside, (width + 1) * (height + 1)).slice(),
  };
}
