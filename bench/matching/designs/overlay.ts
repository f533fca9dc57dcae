import { type Canvas, type Sizes, drawCanvas } from "./canvas.ts";
import type { Design, Filling, Sheet } from "./design.ts";
import { page, photograph } from "./drawing.ts";

/** A design whose members are photographs under one overlay, drawn once. */
export function overlay(name: string, sizes: Sizes, lay: (canvas: Canvas) => string): Design {
  return {
    name,
    family: "overlay",
    photographs: 1,
    draw: (random): Sheet => {
      const canvas = drawCanvas(random, sizes, 20);
      const { width, height } = canvas;
      const over = lay(canvas);
      const member = ({ photographs }: Filling): string =>
        page(width, height, "#808080", [photograph(photographs[0]!, { x: 0, y: 0, width, height }), over]);
      return { width, height, window: width / height, member };
    },
  };
}
