import sharp, { type Sharp } from "sharp";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { restrictDecoders } from "../../src/image/coded/decode.ts";
import { type ExaminedImage, examineImage } from "../../src/examine/examine-image.ts";
import type { Candidate } from "../../src/matching/rank/rank-candidates.ts";
import { matchQuery } from "../../src/matching/match-query.ts";
import type { Query } from "../../src/packet/query.ts";
import { readQueryState } from "../../src/examine/query-buffer.ts";
import { decodePacket } from "../../src/packet/registration-packet.ts";
import { openVocabulary } from "../../src/words/vocabulary.ts";
import { loadVocabulary } from "../../src/learned/vocabulary-file.ts";

export const PACKET_KEY: Uint8Array = Uint8Array.from({ length: 32 }, (_, i) => 3 * i + 1);

const TYPES = ["image/jpeg", "image/png", "image/webp"];
restrictDecoders(TYPES);
const examiner = {
  decode: { acceptedTypes: TYPES, maxImagePixels: 10_000_000 },
  vocabulary: openVocabulary(loadVocabulary()),
  packetKey: PACKET_KEY,
};

const painted = new Map<string, Promise<Uint8Array>>();

/** A painted scene as a JPEG file; each is painted once. */
export function scene(seed: number, width = 512, height = 360): Promise<Uint8Array> {
  const name = `${seed} ${width} ${height}`;
  const known = painted.get(name) ?? paintedPicture(seed, width, height);
  painted.set(name, known);
  return known;
}

/** Draws on or changes a file with sharp; the result is a JPEG of the given quality. */
export async function editPicture(
  image: Uint8Array,
  edit: (picture: Sharp) => Sharp,
  quality = 88,
): Promise<Uint8Array> {
  return new Uint8Array(await edit(sharp(image)).jpeg({ quality }).toBuffer());
}

/**
 * The picture seen through a lens: each pixel is taken from 1 + strength r r times its distance r from the centre, half
 * the width being 1.
 */
export async function bendPicture(image: Uint8Array, strength: number): Promise<Uint8Array> {
  const { data, info } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const through = Buffer.alloc(data.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [dx, dy] = [x - width / 2, y - height / 2];
      const times = 1 + (strength * 4 * (dx * dx + dy * dy)) / (width * width);
      const sx = Math.min(width - 1, Math.max(0, Math.round(width / 2 + dx * times)));
      const sy = Math.min(height - 1, Math.max(0, Math.round(height / 2 + dy * times)));
      data.copy(
        through,
        (y * width + x) * channels,
        (sy * width + sx) * channels,
        (sy * width + sx + 1) * channels,
      );
    }
  }
  return new Uint8Array(await sharp(through, { raw: { width, height, channels } }).jpeg().toBuffer());
}

export async function registerOriginal(
  id: number,
  image: Uint8Array,
): Promise<Candidate & { readonly words: Int32Array }> {
  const { original }: ExaminedImage = await examineImage(image, "registration", examiner);
  if (original === null) throw new Error("A registration has an original.");
  return { id, original: decodePacket(original.packet), words: original.words };
}

export async function examineQuery(
  image: Uint8Array,
): Promise<{ readonly query: Query; readonly words: Int32Array }> {
  const { query, queryWords } = await examineImage(image, "lookup", examiner);
  return { query: readQueryState(query), words: queryWords };
}

/** The ids of the candidates that the query derives from, most inliers first. */
export function matchedIds(query: Query, candidates: readonly Candidate[], packetKey: Uint8Array): number[] {
  return matchQuery(query, candidates, packetKey).map(({ id }) => id);
}
