import sharp from "sharp";
import { jpeg } from "./image-mutations/jpeg.ts";

/** The marker of a scan, and the place in its header where the first coefficient stands, of one component. */
const SCAN = "da";
const FIRST_COEFFICIENT = 3;

/**
 * A plain grey progressive JPEG of `side` by `side` pixels, of whose finer scans one is repeated until there are
 * `scans`: a few hundred bytes each, and as much work as a picture of that size.
 */
export async function scanBomb(side: number, scans: number): Promise<Buffer> {
  const create = { width: side, height: side, channels: 3, background: "#777777" } as const;
  const plain = await sharp({ create, limitInputPixels: false })
    .toColourspace("b-w")
    .jpeg({ progressive: true })
    .toBuffer();
  const parts = jpeg.parse(plain);
  const finer = parts.find(({ kind, body }) => kind === SCAN && (body[FIRST_COEFFICIENT] ?? 0) > 0);
  if (finer === undefined) throw new Error("The encoder wrote no finer scan.");
  const copies = Array.from({ length: scans }, () => finer);
  return jpeg.write(parts.toSpliced(-1, 0, ...copies));
}
