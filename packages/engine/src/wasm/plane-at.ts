import { floatsAt } from "./arena.ts";

/** A raster of 32-bit floats in the kernels' memory, row-major. */
export interface PlaneAt {
  readonly width: number;
  readonly height: number;
  /** Its pointer. */
  readonly at: number;
}

const FLOAT = 4;
/** What vectors read and write past the end of a piece. */
const SPARE = 16;

/** The bytes that the kernels take of a raster of so many values. */
export function planeBytes(values: number): number {
  return FLOAT * values + SPARE;
}

/** The values of a raster; void once the memory moves. */
export function valuesAt({ width, height, at }: PlaneAt): Float32Array {
  return floatsAt(at, width * height);
}
