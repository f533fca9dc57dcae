import sharp, { type Sharp } from "sharp";
import { paintPicture } from "@colophon/testing/pictures.ts";
import { exifThumbnail, jpeg } from "./jpeg.ts";
import { animated } from "./png.ts";

export type ImageType = "image/jpeg" | "image/png" | "image/webp" | "image/avif" | "image/tiff" | "image/gif";

/** Every type that a deployment may accept (`COLOPHON_ACCEPTED_TYPES`). */
export const IMAGE_TYPES: readonly ImageType[] = [
  "image/jpeg",
  "image/png",
  "image/webp",
  "image/avif",
  "image/tiff",
  "image/gif",
];

/** A sound image and how it is coded. */
export interface CodedImage {
  readonly type: ImageType;
  readonly coding: string;
  readonly bytes: Buffer;
}

const WIDTH = 96;
const HEIGHT = 72;

/** Sound images of one scene in every coding of every type, profiles, thumbnails and packets of metadata included. */
export async function everyCoding(seed: number): Promise<readonly CodedImage[]> {
  const rgb = paintPicture(seed, WIDTH, HEIGHT);
  const other = paintPicture(seed + 1, WIDTH, HEIGHT);
  const scene = (): Sharp => sharp(rgb, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
  const film = (): Sharp =>
    sharp(Buffer.concat([rgb, other]), {
      raw: { width: WIDTH, height: 2 * HEIGHT, channels: 3, pageHeight: HEIGHT },
    });
  const clear = (): Sharp => scene().ensureAlpha(0.6);
  const laden = (): Sharp =>
    scene()
      .withIccProfile("p3")
      .withExif({ IFD0: { Copyright: "A trial", Orientation: "6" } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>');
  const [baseline, flat, flatOther] = await Promise.all([
    scene().jpeg({ quality: 85 }).toBuffer(),
    scene().png().toBuffer(),
    sharp(other, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
      .png()
      .toBuffer(),
  ]);
  const thumbnail = await scene().resize(48).jpeg().toBuffer();
  const coded: readonly [ImageType, string, Promise<Buffer> | Buffer][] = [
    ["image/jpeg", "baseline", baseline],
    ["image/jpeg", "4:4:4", scene().jpeg({ chromaSubsampling: "4:4:4" }).toBuffer()],
    ["image/jpeg", "progressive", scene().jpeg({ progressive: true }).toBuffer()],
    ["image/jpeg", "grey", scene().toColourspace("b-w").jpeg().toBuffer()],
    ["image/jpeg", "grey progressive", scene().toColourspace("b-w").jpeg({ progressive: true }).toBuffer()],
    ["image/jpeg", "CMYK", scene().toColourspace("cmyk").jpeg().toBuffer()],
    ["image/jpeg", "CMYK progressive", scene().toColourspace("cmyk").jpeg({ progressive: true }).toBuffer()],
    ["image/jpeg", "with profile, EXIF and XMP", laden().jpeg().toBuffer()],
    ["image/jpeg", "with EXIF thumbnail", jpeg.write([exifThumbnail(thumbnail), ...jpeg.parse(baseline)])],
    ["image/png", "plain", flat],
    ["image/png", "interlaced", scene().png({ progressive: true }).toBuffer()],
    ["image/png", "16 bits", scene().toColourspace("rgb16").png().toBuffer()],
    ["image/png", "16 bits interlaced", scene().toColourspace("rgb16").png({ progressive: true }).toBuffer()],
    ["image/png", "grey", scene().toColourspace("b-w").png().toBuffer()],
    ["image/png", "palette", scene().png({ palette: true, colours: 16 }).toBuffer()],
    ["image/png", "two colours", scene().png({ palette: true, colours: 2 }).toBuffer()],
    ["image/png", "alpha", clear().png().toBuffer()],
    ["image/png", "animated", animated(flat, flatOther)],
    ["image/png", "with profile, EXIF and XMP", laden().png().toBuffer()],
    ["image/webp", "lossy", scene().webp().toBuffer()],
    ["image/webp", "lossless", scene().webp({ lossless: true }).toBuffer()],
    ["image/webp", "lossy alpha", clear().webp().toBuffer()],
    ["image/webp", "lossless alpha", clear().webp({ lossless: true }).toBuffer()],
    [
      "image/webp",
      "animated",
      film()
        .webp({ delay: [100, 100] })
        .toBuffer(),
    ],
    ["image/webp", "with profile, EXIF and XMP", laden().webp().toBuffer()],
    ["image/avif", "4:2:0", scene().avif({ effort: 0, chromaSubsampling: "4:2:0" }).toBuffer()],
    ["image/avif", "lossless", scene().avif({ effort: 0, lossless: true }).toBuffer()],
    ["image/avif", "10 bits", scene().avif({ effort: 0, bitdepth: 10 }).toBuffer()],
    ["image/avif", "alpha", clear().avif({ effort: 0 }).toBuffer()],
    ["image/tiff", "uncompressed", scene().tiff({ compression: "none" }).toBuffer()],
    ["image/tiff", "LZW", scene().tiff({ compression: "lzw" }).toBuffer()],
    [
      "image/tiff",
      "deflate, predicted",
      scene().tiff({ compression: "deflate", predictor: "horizontal" }).toBuffer(),
    ],
    ["image/tiff", "JPEG in tiles", scene().tiff({ compression: "jpeg", tile: true }).toBuffer()],
    [
      "image/tiff",
      "fax",
      scene().toColourspace("b-w").tiff({ compression: "ccittfax4", bitdepth: 1 }).toBuffer(),
    ],
    ["image/gif", "still", scene().gif().toBuffer()],
    ["image/gif", "interlaced", scene().gif({ progressive: true }).toBuffer()],
    [
      "image/gif",
      "animated",
      film()
        .gif({ delay: [100, 100] })
        .toBuffer(),
    ],
  ];
  return Promise.all(coded.map(async ([type, coding, bytes]) => ({ type, coding, bytes: await bytes })));
}
