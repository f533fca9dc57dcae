import sharp, { type Sharp } from "sharp";
import type { Random } from "@colophon/testing/pictures.ts";
import type { Element } from "./elements.ts";

const WIDTH = 1_000;
const QUALITY = 85;

/** A photograph as its owner has it: 1,000 px wide. */
export async function photograph(image: Uint8Array): Promise<Uint8Array> {
  return encoded(sharp(image).autoOrient().resize({ width: WIDTH }));
}

/** The photograph with an element that nominally covers `share` of it: in a corner, across it, or all round. */
export async function carrying(
  photo: Uint8Array,
  element: Element,
  share: number,
  random: Random,
): Promise<Uint8Array> {
  const { width, height } = await sharp(photo).metadata();
  if (element.seat === "around") {
    const band = 0.075;
    const inner = await sharp(photo)
      .resize(Math.round(width * (1 - band)), Math.round(height * (1 - 2 * band)), { fit: "fill" })
      .png()
      .toBuffer();
    const frame = sharp(element.image).resize(width, height, { fit: "fill" });
    return encoded(frame.composite([{ input: inner, gravity: "centre" }]));
  }
  const wanted =
    element.seat === "across" ? width : Math.sqrt((share * width * height * element.width) / element.height);
  const scale = Math.min(wanted / element.width, width / element.width, height / element.height);
  const input = await sharp(element.image)
    .resize(Math.round(scale * element.width))
    .png()
    .toBuffer({ resolveWithObject: true });
  const [right, bottom] = [random() < 0.5, random() < 0.5];
  const margin = element.seat === "across" ? 0 : Math.round(0.015 * width);
  const left = right
    ? Math.max(0, width - input.info.width - margin)
    : Math.min(margin, width - input.info.width);
  const top = bottom
    ? Math.max(0, height - input.info.height - margin)
    : Math.min(margin, height - input.info.height);
  return encoded(sharp(photo).composite([{ input: input.data, left, top }]));
}

/** A part of the photograph with `share` of its area, from its middle or anywhere. */
export async function cropped(
  photo: Uint8Array,
  share: number,
  random: Random | null = null,
): Promise<Uint8Array> {
  const { width, height } = await sharp(photo).metadata();
  const size = { width: Math.round(width * Math.sqrt(share)), height: Math.round(height * Math.sqrt(share)) };
  const [across, down] = random === null ? [0.5, 0.5] : [random(), random()];
  const left = Math.round(across * (width - size.width));
  const top = Math.round(down * (height - size.height));
  return encoded(sharp(photo).extract({ ...size, left, top }));
}

/** The photograph, in its own shape, laid on another picture so that it covers `share` of it. */
export async function pasted(
  photo: Uint8Array,
  ground: Uint8Array,
  share: number,
  random: Random,
): Promise<Uint8Array> {
  const { width, height } = await sharp(photo).metadata();
  const size = { width: Math.round(width * Math.sqrt(share)), height: Math.round(height * Math.sqrt(share)) };
  const input = await sharp(photo).resize(size).png().toBuffer();
  const left = Math.round(random() * (width - size.width));
  const top = Math.round(random() * (height - size.height));
  return encoded(sharp(ground).resize(width, height, { fit: "cover" }).composite([{ input, left, top }]));
}

/** Photographs side by side in rows, narrow white gaps between them. */
export async function collage(photos: readonly Uint8Array[]): Promise<Uint8Array> {
  const columns = Math.ceil(Math.sqrt(photos.length));
  const rows = Math.ceil(photos.length / columns);
  const [width, height, gap] = [420, 315, 6];
  const tiles = photos.map(async (photo, k) => ({
    input: await sharp(photo).resize(width, height, { fit: "cover" }).png().toBuffer(),
    left: gap + (k % columns) * (width + gap),
    top: gap + Math.floor(k / columns) * (height + gap),
  }));
  const ground = {
    width: gap + columns * (width + gap),
    height: gap + rows * (height + gap),
    channels: 3,
    background: "#fff",
  } as const;
  return encoded(sharp({ create: ground }).composite(await Promise.all(tiles)));
}

/** The photograph as a telephone shows it: dark ground, bars above and below. */
export async function screenshot(photo: Uint8Array, bars: readonly Element[]): Promise<Uint8Array> {
  const { width, height } = await sharp(photo).metadata();
  const parts = await Promise.all(
    bars.map(({ image }) => sharp(image).resize({ width }).png().toBuffer({ resolveWithObject: true })),
  );
  const above = parts.reduce((sum, { info }) => sum + info.height, 0);
  let top = 0;
  const stacked = parts.map(({ data, info }) => {
    top += info.height;
    return { input: data, left: 0, top: top - info.height };
  });
  const ground = {
    width,
    height: above + Math.round(1.3 * height),
    channels: 3,
    background: "#101014",
  } as const;
  return encoded(
    sharp({ create: ground }).composite([
      ...stacked,
      { input: Buffer.from(photo), left: 0, top: above + Math.round(0.12 * height) },
    ]),
  );
}

async function encoded(picture: Sharp): Promise<Uint8Array> {
  return new Uint8Array(await picture.flatten({ background: "#fff" }).jpeg({ quality: QUALITY }).toBuffer());
}
