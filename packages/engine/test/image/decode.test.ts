import sharp, { type Sharp } from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { paintPicture } from "@colophon/testing/pictures.ts";
import { cacheLimits, decodeImage, restrictDecoders } from "../../src/image/coded/decode.ts";
import { decodeCost } from "../../src/image/coded/decode-cost.ts";
import { ImageDeclined } from "../../src/image/coded/header/declined.ts";
import { sniffMediaType } from "../../src/image/coded/media-type.ts";
import { hashPixels } from "../../src/image/pixel-hash.ts";
import type { Rgb } from "../../src/image/luma.ts";

const [width, height] = [96, 64];
const scene = paintPicture(31, width, height);
const painted = (): Sharp => sharp(scene, { raw: { width, height, channels: 3 } });
const options = {
  acceptedTypes: ["image/jpeg", "image/png", "image/webp"],
  maxImagePixels: 20_000,
};

async function decode(bytes: Uint8Array): Promise<Rgb> {
  decodeCost(bytes, options);
  return decodeImage(bytes, options);
}

/** The name of the error with which an image is declined, or null. */
async function refusal(bytes: Uint8Array): Promise<string | null> {
  try {
    await decode(bytes);
    return null;
  } catch (error) {
    return error instanceof ImageDeclined ? error.name : "something else";
  }
}

function meanDifference(picture: Rgb, expected: Uint8Array): number {
  expect(picture.data.length).toBe(expected.length);
  return expected.reduce((sum, value, i) => sum + Math.abs(value - picture.data[i]!), 0) / expected.length;
}

// Made before the decoders are restricted, because that holds for the whole process.
const gif = await painted().gif().toBuffer();
const tiff = await painted().tiff().toBuffer();
beforeAll(() => restrictDecoders(options.acceptedTypes));

describe("decoding", () => {
  it("gives the pixels of lossless files, byte for byte, from shared memory too", async () => {
    const png = await painted().png().toBuffer();
    const shared = new Uint8Array(new SharedArrayBuffer(png.length));
    shared.set(png);
    const webp = await painted().webp({ lossless: true }).toBuffer();
    const decoded = await Promise.all([png, shared, webp].map(decode));
    expect(decoded.map(({ data }) => Uint8Array.from(data))).toEqual([scene, scene, scene]);
    expect(new Set(decoded.map((picture) => hashPixels(picture).join())).size).toBe(1);
  });

  it("turns the picture upright", async () => {
    const turned = await painted().rotate(90).withMetadata({ orientation: 8 }).png().toBuffer();
    const picture = await decode(turned);
    expect([picture.width, picture.height]).toEqual([width, height]);
    expect(meanDifference(picture, scene)).toBe(0);
  });

  it("lays transparency on white", async () => {
    const clear = Buffer.alloc(width * height * 4);
    const png = await sharp(clear, { raw: { width, height, channels: 4 } })
      .png()
      .toBuffer();
    expect((await decode(png)).data.every((value) => value === 255)).toBe(true);
  });

  it("narrows 16 bits, spreads grey and palettes, converts CMYK", async () => {
    const wide = await painted().toColourspace("rgb16").png().toBuffer();
    const grey = await painted().greyscale().toColourspace("b-w").png().toBuffer();
    const palette = await painted().png({ palette: true, colours: 256 }).toBuffer();
    const cmyk = await painted().toColourspace("cmyk").jpeg({ quality: 95 }).toBuffer();
    expect(meanDifference(await decode(wide), scene)).toBeLessThan(1);
    const greyPicture = await decode(grey);
    expect(greyPicture.data.every((value, i) => value === greyPicture.data[i - (i % 3)])).toBe(true);
    expect(meanDifference(await decode(palette), scene)).toBeLessThan(12);
    expect(meanDifference(await decode(cmyk), scene)).toBeLessThan(25);
  });

  it("takes the first frame of an animation", async () => {
    const frames = Buffer.concat([scene, scene.map((value) => 255 - value)]);
    const raw = { width, height: 2 * height, channels: 3, pageHeight: height } as const;
    const animation = await sharp(frames, { raw }).webp({ lossless: true, loop: 0 }).toBuffer();
    const picture = await decode(animation);
    expect([picture.width, picture.height]).toEqual([width, height]);
    expect(meanDifference(picture, scene)).toBe(0);
  });
});

it("keeps nothing of what was decoded", () => {
  expect(cacheLimits()).toEqual([0, 0, 0]);
  sharp.cache(true);
  expect(cacheLimits()).not.toEqual([0, 0, 0]);
  restrictDecoders(options.acceptedTypes);
  expect(cacheLimits()).toEqual([0, 0, 0]);
});

describe("declining", () => {
  it("declines what is not an accepted image", async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    const others = [
      gif,
      tiff,
      svg,
      Buffer.alloc(0),
      Buffer.from("GIF89a"),
      Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    ];
    expect(await Promise.all(others.map(refusal))).toEqual(others.map(() => "ImageUndecodable"));
  });

  it("declines truncated and damaged files", async () => {
    const jpeg = await painted().jpeg({ quality: 90 }).toBuffer();
    const png = await painted().png().toBuffer();
    const webp = await painted().webp().toBuffer();
    for (const file of [jpeg, png, webp]) {
      expect(await refusal(file.subarray(0, Math.floor(file.length * 0.6)))).toBe("ImageUndecodable");
      expect(await refusal(file.subarray(0, 40))).toBe("ImageUndecodable");
    }
    const flipped = png.map((byte, i) => (i === Math.floor(png.length / 2) ? byte ^ 255 : byte));
    expect(await refusal(flipped)).toBe("ImageUndecodable");
  });

  it("declines by the header what has too many pixels", async () => {
    const wide = await sharp({ create: { width: 4000, height: 6, channels: 3, background: "#123" } })
      .png()
      .toBuffer();
    expect(await refusal(wide)).toBe("ImageTooManyPixels");
  });

  it("names the type by the bytes alone", () => {
    expect(sniffMediaType(gif)).toBe("image/gif");
    expect(sniffMediaType(tiff)).toBe("image/tiff");
    expect(sniffMediaType(Buffer.from("RIFF1234WEBP"))).toBe("image/webp");
    expect(sniffMediaType(new Uint8Array(3))).toBe(null);
  });
});
