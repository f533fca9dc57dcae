import { expect, it } from "vitest";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { jpegFiles } from "../src/frames/jpeg-stream.ts";

async function* chunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function files(bytes: Buffer, size: number): Promise<Buffer[]> {
  const found: Buffer[] = [];
  for await (const file of jpegFiles(chunks(bytes, size))) found.push(Buffer.from(file));
  return found;
}

const pictures = Promise.all([1, 2, 3].map(async (seed) => Buffer.from(await paintedPicture(seed, 40, 30))));

it.each([1, 7, 1000, 1_000_000])(
  "JPEG files are cut apart whatever the chunks, here of %i bytes",
  async (size) => {
    expect(await files(Buffer.concat(await pictures), size)).toEqual(await pictures);
  },
);

it("a stream that ends within a file is an error, an empty one is none", async () => {
  const all = Buffer.concat(await pictures);
  await expect(files(all.subarray(0, -1), 1000)).rejects.toThrow("cut off");
  expect(await files(Buffer.alloc(0), 1)).toEqual([]);
});
