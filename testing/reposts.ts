/** What people make of a picture before they show it elsewhere: each takes a file's bytes and gives a JPEG's. */
import sharp from "sharp";

const PAPER = "#efece4";
const HEADLINE = "Summer on the quays";

/** The middle of it, a share of each side, saved again at a low quality. */
export async function cropped(photo: Uint8Array, share = 0.7, quality = 50): Promise<Buffer> {
  const { width, height } = await sharp(photo).metadata();
  const kept = (side: number): number => Math.round(side * share);
  const left = Math.round((width * (1 - share)) / 2);
  const top = Math.round((height * (1 - share)) / 2);
  return sharp(photo)
    .extract({ left, top, width: kept(width), height: kept(height) })
    .jpeg({ quality })
    .toBuffer();
}

/** Left and right exchanged. */
export function mirrored(photo: Buffer): Promise<Buffer> {
  return sharp(photo).flop().jpeg({ quality: 70 }).toBuffer();
}

/** Turned by some degrees, on grey. */
export function turned(photo: Buffer, degrees: number): Promise<Buffer> {
  return sharp(photo).rotate(degrees, { background: "#808080" }).jpeg({ quality: 75 }).toBuffer();
}

/** A telephone's screen with the picture in a post. */
export async function screenshotOf(photo: Buffer): Promise<Buffer> {
  const [width, height] = [720, 1280];
  const picture = await sharp(photo)
    .resize({ width: width - 40, height: 640, fit: "cover" })
    .toBuffer();
  const lines = [250, 282, 1010, 1042].map(
    (y, at) => `<rect x="20" y="${y}" width="${520 - 130 * (at % 2)}" height="14" rx="7" fill="#b9b9b9"/>`,
  );
  const frame = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="90" fill="#1d2733"/><circle cx="60" cy="170" r="36" fill="#d98b4a"/><text x="116" y="180" font-family="sans-serif" font-size="30">harbour.days</text>${lines.join("")}</svg>`;
  return sharp({ create: { width, height, channels: 3, background: "#fff" } })
    .composite([
      { input: Buffer.from(frame), left: 0, top: 0 },
      { input: picture, left: 20, top: 320 },
    ])
    .jpeg({ quality: 60 })
    .toBuffer();
}

/** A page of a paper that shows one picture mirrored and another one turned. */
export async function pageWith(one: Buffer, other: Buffer): Promise<Buffer> {
  const first = await sharp(one).flop().resize({ width: 760, height: 640, fit: "inside" }).toBuffer();
  const second = await sharp(other)
    .resize({ width: 540, height: 460, fit: "inside" })
    .rotate(7, { background: PAPER })
    .toBuffer();
  return sharp({ create: { width: 1500, height: 860, channels: 3, background: PAPER } })
    .composite([
      { input: printed(1500, 860), left: 0, top: 0 },
      { input: first, left: 60, top: 140 },
      { input: second, left: 870, top: 160 },
    ])
    .jpeg()
    .toBuffer();
}

/** A headline and columns of text, as far as a glance tells. */
function printed(width: number, height: number): Buffer {
  const bars = Array.from(
    { length: 5 },
    (_, at) => `<rect x="870" y="${720 + 24 * at}" width="${560 - 60 * (at % 3)}" height="9"/>`,
  );
  const title = `<text x="60" y="98" font-family="serif" font-weight="700" font-size="62">${HEADLINE}</text>`;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" fill="#37332c">${title}${bars.join("")}</svg>`,
  );
}
