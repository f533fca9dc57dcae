import sharp from "sharp";
import type { Plane } from "@colophon/engine/lab";

const COLUMNS = 4;
const TILE_WIDTH = 240;
const GAP = 6;

/** Grey levels for looking at: the middle 98 % of the values from black to white. */
function greyLevels({ data }: Plane): Uint8Array {
  const sorted = data.toSorted();
  const low = sorted[Math.floor(sorted.length / 100)]!;
  const high = sorted[sorted.length - 1 - Math.floor(sorted.length / 100)]!;
  return Uint8Array.from(data, (value) =>
    Math.min(255, Math.max(0, (255 * (value - low)) / Math.max(1e-6, high - low))),
  );
}

/** Writes pictures of one shape to one PNG, four in a row. */
export async function writeSheet(path: string, pictures: readonly Plane[]): Promise<void> {
  const [first] = pictures;
  if (first === undefined) throw new RangeError("A sheet needs a picture.");
  const height = Math.max(1, Math.round((TILE_WIDTH * first.height) / first.width));
  const tiles = await Promise.all(
    pictures.map(async (plane, k) => ({
      input: await sharp(greyLevels(plane), {
        raw: { width: plane.width, height: plane.height, channels: 1 },
      })
        .resize({ width: TILE_WIDTH, height, fit: "fill" })
        .png()
        .toBuffer(),
      left: GAP + (k % COLUMNS) * (TILE_WIDTH + GAP),
      top: GAP + Math.floor(k / COLUMNS) * (height + GAP),
    })),
  );
  const columns = Math.min(COLUMNS, pictures.length);
  const rows = Math.ceil(pictures.length / COLUMNS);
  const size = { width: GAP + columns * (TILE_WIDTH + GAP), height: GAP + rows * (height + GAP) };
  await sharp({ create: { ...size, channels: 3, background: "#fff" } })
    .composite(tiles)
    .greyscale()
    .png({ compressionLevel: 9, palette: true, colours: 24 })
    .toFile(path);
}
