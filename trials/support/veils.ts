import sharp from "sharp";

/** What is laid over a picture of 960 x 640, as SVG, and how much of the picture's colours is taken out of it. */
const VEILS: readonly { readonly svg: string; readonly blend: "over" | "multiply" }[] = [
  { svg: `<rect width="960" height="640" fill="#e8e4da" fill-opacity=".4"/>`, blend: "over" },
  { svg: `<rect width="960" height="640" fill="#c98f4e"/>`, blend: "multiply" },
  { svg: striped(`<rect width="960" height="2" fill="#101418" fill-opacity=".5"/>`, 960, 5), blend: "over" },
  {
    svg:
      striped(`<rect width="3" height="960" fill="#909090"/>`, 7, 960, "rotate(8)") +
      striped(`<rect width="3" height="960" fill="#b0a8a0"/>`, 8, 960, "rotate(-5)"),
    blend: "multiply",
  },
];

/** How many kinds of veils there are. */
export const KINDS_OF_VEILS = VEILS.length;

/**
 * A picture of 960 x 640 under a veil: translucent paper, a tint, scan lines or a moire; JPEG.
 * @param kind counted on past the last
 */
export async function veiled(picture: Uint8Array, kind: number): Promise<Uint8Array> {
  const { svg, blend } = VEILS[kind % KINDS_OF_VEILS]!;
  const input = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="960" height="640">${svg}</svg>`);
  return new Uint8Array(await sharp(picture).composite([{ input, blend }]).jpeg({ quality: 90 }).toBuffer());
}

/** One thing over and over, all over the picture. */
function striped(content: string, width: number, height: number, turn = ""): string {
  const id = `p${width}x${height}${turn.replaceAll(/\W/g, "")}`;
  const units = `patternUnits="userSpaceOnUse" patternTransform="${turn}"`;
  return `<defs><pattern id="${id}" width="${width}" height="${height}" ${units}>${content}</pattern></defs><rect width="960" height="640" fill="url(#${id})"/>`;
}
