import { crc32 } from "node:zlib";
import fc from "fast-check";
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { paintPicture } from "@colophon/testing/pictures.ts";
import { decodeCost } from "../../src/image/coded/decode-cost.ts";
import { ImageDeclined } from "../../src/image/coded/header/declined.ts";
import { readAvifHeader } from "../../src/image/coded/header/avif.ts";
import type { CodedPicture } from "../../src/image/coded/header/coded-picture.ts";
import { readGifHeader } from "../../src/image/coded/header/gif.ts";
import { readJpegHeader } from "../../src/image/coded/header/jpeg.ts";
import { readPngHeader } from "../../src/image/coded/header/png.ts";
import { readTiffHeader } from "../../src/image/coded/header/tiff.ts";
import { readWebpHeader } from "../../src/image/coded/header/webp.ts";
import { decodableTypes } from "../../src/image/coded/media-type.ts";

const [width, height] = [203, 101];
const options = { acceptedTypes: decodableTypes, maxImagePixels: 200_000_000 };
const scene = paintPicture(81, width, height);
const painted = (): Sharp => sharp(scene, { raw: { width, height, channels: 3 } });

function refusal(bytes: Uint8Array): string | null {
  try {
    decodeCost(bytes, options);
    return null;
  } catch (error) {
    if (!(error instanceof ImageDeclined)) throw error;
    return error.name;
  }
}

function memoryOf(bytes: Uint8Array): number {
  return decodeCost(bytes, options).memoryBytes;
}

/** Where a JPEG file's scans begin; its last two bytes end the image. */
function scanStarts(jpeg: Buffer): number[] {
  const starts: number[] = [];
  for (
    let at = jpeg.indexOf("\xff\xda", 2, "latin1");
    at >= 0;
    at = jpeg.indexOf("\xff\xda", at + 2, "latin1")
  ) {
    starts.push(at);
  }
  return starts;
}

/** A JPEG whose last scan comes so many times more. */
function withScansRepeated(jpeg: Buffer, times: number): Buffer {
  const end = jpeg.length - 2;
  const scan = jpeg.subarray(scanStarts(jpeg).at(-1), end);
  return Buffer.concat([
    jpeg.subarray(0, end),
    ...Array.from({ length: times }, () => scan),
    jpeg.subarray(end),
  ]);
}

/** The extended header of a WebP file of the largest size that is accepted (RFC 9649 section 2.7). */
function largestWebp(webp: Buffer, isAnimated: boolean): Buffer {
  const header = Buffer.alloc(18);
  header.write("VP8X", "latin1");
  header.writeUInt32LE(10, 4);
  header[8] = isAnimated ? 2 : 0;
  header.writeUIntLE(14_141, 12, 3);
  header.writeUIntLE(14_141, 15, 3);
  return Buffer.concat([webp.subarray(0, 12), header, webp.subarray(12)]);
}

/** A JPEG with so many empty application segments more. */
function withSegments(jpeg: Buffer, count: number): Buffer {
  const segments = Buffer.alloc(4 * count, Buffer.from([0xff, 0xe5, 0, 2]));
  return Buffer.concat([jpeg.subarray(0, 2), segments, jpeg.subarray(2)]);
}

/**
 * A progressive JPEG of one scan, even grey, with a restart marker between any two of its blocks, 8 x 8 pixels each
 * (ISO/IEC 10918-1, annexes B and G).
 */
function greyWithRestarts(columns: number, rows: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16BE(8 * rows, 0);
  size.writeUInt16BE(8 * columns, 2);
  // One code of the table, a zero bit: no difference from the block before. The byte is filled up with ones.
  const block = 0x7f;
  const blocks = Array.from({ length: columns * rows }, (_, i) => [block, 0xff, 0xd0 + (i % 8)]).flat();
  return Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xdb, 0, 67, 0]),
    Buffer.alloc(64, 1),
    Buffer.from([0xff, 0xc2, 0, 11, 8]),
    size,
    Buffer.from([1, 1, 0x11, 0, 0xff, 0xc4, 0, 20, 0, 1]),
    Buffer.alloc(16),
    Buffer.from([0xff, 0xdd, 0, 4, 0, 1, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, 0]),
    Buffer.from(blocks.slice(0, -2)),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** EXIF of one directory whose fields all point to it again, or to the directory of GPS in it. */
function cyclicExif(fields: number): Buffer {
  const exif = Buffer.alloc(14 + 2 + 12 * fields + 4);
  exif.write("Exif\0\0II*\0", "latin1");
  exif.writeUInt32LE(8, 10);
  exif.writeUInt16LE(fields, 14);
  for (let i = 0; i < fields; i += 1) {
    const at = 16 + 12 * i;
    exif.writeUInt16LE(i % 2 === 0 ? 0x8769 : 0x8825, at);
    exif.writeUInt16LE(4, at + 2);
    exif.writeUInt32LE(1, at + 4);
    exif.writeUInt32LE(8, at + 8);
  }
  return exif;
}

/** An AVIF file whose own EXIF, which has room for it, gives way to other. */
async function avifWithExif(exif: Buffer): Promise<Buffer> {
  const ImageDescription = "x".repeat(exif.length);
  const avif = await painted().withExif({ IFD0: { ImageDescription } }).avif().toBuffer();
  exif.copy(avif, avif.indexOf("Exif\0\0", avif.indexOf("mdat", 0, "latin1"), "latin1"));
  return avif;
}

/** A file of each coding with a block of EXIF. */
async function withExif(exif: Buffer): Promise<readonly Buffer[]> {
  const [jpeg, png, webp] = await Promise.all([
    painted().jpeg().toBuffer(),
    painted().png().toBuffer(),
    painted().webp().toBuffer(),
  ]);
  const segment = Buffer.from([0xff, 0xe1, (exif.length + 2) >> 8, (exif.length + 2) & 255]);
  const chunk = Buffer.alloc(12 + exif.length - 6);
  chunk.writeUInt32BE(exif.length - 6, 0);
  chunk.write("eXIf", 4, "latin1");
  exif.copy(chunk, 8, 6);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  const header = Buffer.alloc(8);
  header.write("EXIF", "latin1");
  header.writeUInt32LE(exif.length, 4);
  return [
    Buffer.concat([jpeg.subarray(0, 2), segment, exif, jpeg.subarray(2)]),
    Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]),
    Buffer.concat([webp, header, exif]),
    await avifWithExif(exif),
  ];
}

/** The same file claiming another size: 16-bit numbers of a JPEG's frame header. */
function withSize(jpeg: Buffer, columns: number, rows: number): Buffer {
  const copy = Buffer.from(jpeg);
  const frame = [0xc0, 0xc1, 0xc2]
    .map((marker) => copy.indexOf(Buffer.from([0xff, marker]), 2))
    .find((at) => at > 0);
  copy.writeUInt16BE(rows, (frame ?? 0) + 5);
  copy.writeUInt16BE(columns, (frame ?? 0) + 7);
  return copy;
}

describe("headers", () => {
  const files: readonly (readonly [string, Promise<Buffer>, (bytes: Uint8Array) => CodedPicture])[] = [
    ["baseline JPEG", painted().jpeg().toBuffer(), readJpegHeader],
    ["progressive JPEG", painted().jpeg({ progressive: true }).toBuffer(), readJpegHeader],
    ["grey JPEG", painted().greyscale().jpeg({ progressive: true }).toBuffer(), readJpegHeader],
    ["CMYK JPEG", painted().toColourspace("cmyk").jpeg().toBuffer(), readJpegHeader],
    [
      "JPEG with profile and metadata",
      painted()
        .withExif({ IFD0: { Artist: "x" } })
        .withIccProfile("p3")
        .jpeg()
        .toBuffer(),
      readJpegHeader,
    ],
    ["PNG", painted().png().toBuffer(), readPngHeader],
    [
      "interlaced PNG of 16 bits",
      painted().toColourspace("rgb16").png({ progressive: true }).toBuffer(),
      readPngHeader,
    ],
    ["PNG with a palette", painted().png({ palette: true }).toBuffer(), readPngHeader],
    ["WebP", painted().webp().toBuffer(), readWebpHeader],
    ["lossless WebP", painted().webp({ lossless: true }).toBuffer(), readWebpHeader],
    ["WebP with alpha", painted().ensureAlpha(0.5).webp().toBuffer(), readWebpHeader],
    ["GIF", painted().gif().toBuffer(), readGifHeader],
    ["TIFF", painted().tiff().toBuffer(), readTiffHeader],
    ["tiled TIFF", painted().tiff({ tile: true, compression: "lzw" }).toBuffer(), readTiffHeader],
    ["AVIF", painted().avif({ effort: 0 }).toBuffer(), readAvifHeader],
  ];

  it.each(files)("give the size of a %s, and accept it", async (_name, file, read) => {
    const bytes = await file;
    expect(read(bytes)).toMatchObject({ width, height });
    expect(refusal(bytes)).toBe(null);
  });

  it("never fail but by declining, whatever the bytes", async () => {
    const whole = await Promise.all(files.map(([, file]) => file));
    const mutation = fc.tuple(
      fc.nat(whole.length - 1),
      fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255)), { maxLength: 12 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(mutation, ([which, flips, cut]) => {
        const bytes = Uint8Array.from(whole[which]!.subarray(0, Math.ceil(cut * whole[which]!.length)));
        for (const [place, value] of flips) bytes[Math.floor(place ** 4 * bytes.length)] = value;
        expect([null, "ImageUndecodable", "ImageTooManyPixels", "ImageTooCostly"]).toContain(refusal(bytes));
      }),
      { numRuns: 3000 },
    );
  });
});

describe("what decoding costs", () => {
  it("lets progressive photographs pass, of any size that is accepted", async () => {
    const jpeg = await painted().jpeg({ progressive: true, chromaSubsampling: "4:4:4" }).toBuffer();
    expect(scanStarts(jpeg).length).toBeGreaterThanOrEqual(8);
    expect(refusal(jpeg)).toBe(null);
    expect(refusal(withSize(jpeg, 14_142, 14_142))).toBe(null);
  });

  it("lets WebP pictures pass of any size that is accepted, but for animations of the largest", async () => {
    const webp = await painted().webp().toBuffer();
    expect(refusal(largestWebp(webp, false))).toBe(null);
    expect(refusal(largestWebp(webp, true))).toBe("ImageTooCostly");
  });

  it("declines a JPEG whose scans are repeated, however large or small it is", async () => {
    const jpeg = await painted().jpeg({ progressive: true }).toBuffer();
    expect(refusal(withScansRepeated(jpeg, 500))).toBe("ImageTooCostly");
    expect(refusal(withSize(withScansRepeated(jpeg, 500), 14_000, 14_000))).toBe("ImageTooCostly");
    expect(refusal(withScansRepeated(jpeg, 5))).toBe(null);
  });

  it("reads no further than a decoder where one scan is the picture", async () => {
    const jpeg = await painted().jpeg().toBuffer();
    expect(refusal(withScansRepeated(jpeg, 500))).toBe(null);
  });

  it("declines files that consist of segments, chunks or frames", async () => {
    const jpeg = await painted().jpeg().toBuffer();
    expect(refusal(withSegments(jpeg, 9_000))).toBe(null);
    expect(refusal(withSegments(jpeg, 20_000))).toBe("ImageTooCostly");
    const webp = await painted().webp().toBuffer();
    const chunks = Buffer.alloc(8 * 20_000, Buffer.from("JUNK\0\0\0\0", "latin1"));
    expect(refusal(Buffer.concat([webp, chunks]))).toBe("ImageTooCostly");
    const png = await painted().png().toBuffer();
    const texts = Buffer.alloc(12 * 20_000, Buffer.from("\0\0\0\0tEXt\0\0\0\0", "latin1"));
    expect(refusal(Buffer.concat([png.subarray(0, 33), texts, png.subarray(33)]))).toBe("ImageTooCostly");
  });

  it("declines files whose EXIF leads round and round", async () => {
    for (const file of await withExif(cyclicExif(5000))) expect(refusal(file)).toBe("ImageTooCostly");
    // Some writers have a directory lead to itself, which is followed no further than libexif does.
    for (const file of await withExif(cyclicExif(1))) expect(refusal(file)).toBe(null);
  });

  it("counts no restart markers, of which a sound picture may have as many as blocks", async () => {
    const jpeg = greyWithRestarts(200, 100);
    const { data, info } = await sharp(jpeg, { failOn: "warning" })
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, new Set(data)]).toEqual([1600, 800, new Set([128])]);
    expect(refusal(jpeg)).toBe(null);
  });

  it("counts coefficients of progressive JPEG files and whole frames of interlaced PNG files", async () => {
    const baseline = await painted().jpeg().toBuffer();
    const progressive = await painted().jpeg({ progressive: true, chromaSubsampling: "4:4:4" }).toBuffer();
    // 26 x 13 blocks of 64 coefficients of two bytes, three times.
    expect(memoryOf(progressive) - memoryOf(baseline)).toBe(3 * 26 * 13 * 128);
    const png = await painted().png().toBuffer();
    const interlaced = await painted().png({ progressive: true }).toBuffer();
    expect(memoryOf(interlaced) - memoryOf(png)).toBe(4 * width * (height - 2));
  });

  it("declines by the header what has too many pixels", async () => {
    const jpeg = await painted().jpeg().toBuffer();
    expect(refusal(withSize(jpeg, 20_000, 10_001))).toBe("ImageTooManyPixels");
  });

  it("declines small pictures in enormous tiles", async () => {
    const tiff = await painted().tiff({ tile: true, tileWidth: 256, tileHeight: 256 }).toBuffer();
    const field = tiff.indexOf(Buffer.from([0x42, 0x01, 3, 0, 1, 0, 0, 0]));
    expect(field).toBeGreaterThan(0);
    // The tile's width as a 32-bit number.
    tiff.writeUInt16LE(4, field + 2);
    tiff.writeUInt32LE(4_000_000_000, field + 8);
    expect(refusal(tiff)).toBe("ImageTooCostly");
  });
});
