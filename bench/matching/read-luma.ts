import sharp from "sharp";
import { type Luma, lumaOf } from "@colophon/engine/lab";

/** BT.601 luma of an encoded picture at its full size: upright as its orientation tag says, transparency on white. */
export async function readLuma(image: Uint8Array): Promise<Luma> {
  const upright = sharp(image).autoOrient().flatten({ background: "#fff" }).toColourspace("srgb");
  const { data, info } = await upright.raw().toBuffer({ resolveWithObject: true });
  if (info.channels !== 3) throw new Error(`A picture was read with ${info.channels} channels.`);
  return lumaOf({ width: info.width, height: info.height, data }, Math.max(info.width, info.height));
}
