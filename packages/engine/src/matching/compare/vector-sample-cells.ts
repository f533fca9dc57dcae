import type { PlanarMap } from "../../geometry/planar-map.ts";
import type { Plane } from "../../image/plane.ts";
import { Arena, arenaBytes, doublesAt, floatsAt, integersAt } from "../../wasm/arena.ts";
import { kernels } from "../../wasm/kernels.ts";
import { copyPart, partFor } from "./part.ts";
import type { Cells, SampledCells, SamplesPerCell } from "./sample-cells.ts";

const FLOAT = 4;
const DOUBLE = 8;
/** What vectors read and write past the end of a piece. */
const SPARE = 16;

/** `sampleCells` with the vector kernels. */
export function vectorSampleCells(
  plane: Plane,
  toPlane: PlanarMap,
  window: Cells,
  samples: SamplesPerCell,
): SampledCells {
  const part = partFor(plane, toPlane, window);
  const [columns, rows] = [part.right - part.left, part.bottom - part.top];
  const [width, height] = [window.right - window.left, window.bottom - window.top];
  const sizes = {
    part: FLOAT * columns * rows + SPARE,
    map: DOUBLE * toPlane.length,
    data: FLOAT * width * height + SPARE,
    inside: FLOAT * (width + 1) * (height + 1),
  };
  using arena = new Arena(Object.values(sizes).reduce((sum, size) => sum + arenaBytes(size), 0));
  const at = {
    part: arena.allocate(sizes.part),
    map: arena.allocate(sizes.map),
    data: arena.allocate(sizes.data),
    inside: arena.allocate(sizes.inside),
  };
  copyPart(plane, part, floatsAt(at.part, columns * rows));
  doublesAt(at.map, toPlane.length).set(toPlane);
  kernels.sampleWindow(
    at.part,
    columns,
    part.left,
    part.top,
    plane.width,
    plane.height,
    at.map,
    window.left,
    window.top,
    width,
    height,
    samples,
    at.data,
    at.inside,
  );
  return {
    luma: { width, height, data: floatsAt(at.data, width * height).slice() },
    inside: integersAt(at.inside, (width + 1) * (height + 1)).slice(),
  };
}
