import type { PlanarMap } from "../../geometry/planar-map.ts";
import type { Plane } from "../../image/plane.ts";
import { Arena, doublesAt, floatsAt, integersAt } from "../../wasm/arena.ts";
import { kernels } from "../../wasm/kernels.ts";
import { planeBytes } from "../../wasm/plane-at.ts";
import { type Cells, copyPart, partFor } from "../../image/part.ts";
import type { SamplesPerCell } from "./sample-cells.ts";
import type { Slot } from "./window-room.ts";

const DOUBLE = 8;

/** Writes to the kernels' memory what `sampleCells` finds: the luma of the cells, and the table of those inside. */
export function sampleInto(
  plane: Plane,
  toPlane: PlanarMap,
  window: Cells,
  samples: SamplesPerCell,
  { luma, inside }: Pick<Slot, "luma" | "inside">,
): void {
  const part = partFor(plane, toPlane, window);
  const [columns, rows] = [part.right - part.left, part.bottom - part.top];
  const [width, height] = [window.right - window.left, window.bottom - window.top];
  using arena = new Arena({ from: planeBytes(columns * rows), numbers: DOUBLE * toPlane.length });
  const { from, numbers } = arena.at;
  copyPart(plane, part, floatsAt(from, columns * rows));
  doublesAt(numbers, toPlane.length).set(toPlane);
  integersAt(inside, (width + 1) * (height + 1)).fill(0);
  kernels.sampleWindow(
    from,
    columns,
    part.left,
    part.top,
    plane.width,
    plane.height,
    numbers,
    window.left,
    window.top,
    width,
    height,
    samples,
    luma,
    inside,
  );
}
