/** An 8-bit luma raster (BT.601), row-major; its holder owns it. */
export interface Luma {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** An 8-bit RGB raster, row-major, three bytes a pixel; its holder owns it. */
export interface Rgb {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Longest side, in pixels, of the luma raster from which signatures are made and on which a query is compared. */
export const COMPARISON_SIDE = 1600;
