import sharp, { type Sharp } from "sharp";
import { encodePicture, paintPicture } from "../../../../tools/pictures.ts";
import { restrictDecoders } from "../../src/decode.ts";
import { type ExaminedImage, examineImage } from "../../src/examine-image.ts";
import type { Candidate } from "../../src/matching/candidates.ts";
import type { Query } from "../../src/matching/subjects.ts";
import { readQueryState } from "../../src/query-state.ts";
import { decodePacket } from "../../src/registration-packet.ts";
import { VectorVocabulary } from "../../src/vector/vector-vocabulary.ts";
import { loadVocabulary } from "../../src/vocabulary.ts";

export const PACKET_KEY: Uint8Array = Uint8Array.from({ length: 32 }, (_, i) => 3 * i + 1);

const TYPES = ["image/jpeg", "image/png", "image/webp"];
restrictDecoders(TYPES);
const examiner = {
  decode: { acceptedTypes: TYPES, maxImagePixels: 10_000_000, timeoutSeconds: 60 },
  vocabulary: new VectorVocabulary(loadVocabulary()),
  packetKey: PACKET_KEY,
  reserve: () => ({ [Symbol.dispose]: () => undefined }),
};

const painted = new Map<string, Promise<Uint8Array>>();

/** A painted scene as a JPEG file; each is painted once. */
export function scene(seed: number, width = 512, height = 360): Promise<Uint8Array> {
  const name = `${seed} ${width} ${height}`;
  const known = painted.get(name) ?? encodePicture(paintPicture(seed, width, height), width, height);
  painted.set(name, known);
  return known;
}

/** Draws on or changes a file with sharp; the result is a JPEG of the given quality. */
export async function edited(
  image: Uint8Array,
  edit: (picture: Sharp) => Sharp,
  quality = 88,
): Promise<Uint8Array> {
  return new Uint8Array(await edit(sharp(image)).jpeg({ quality }).toBuffer());
}

export async function registered(
  id: number,
  image: Uint8Array,
): Promise<Candidate & { readonly words: Int32Array }> {
  const { original }: ExaminedImage = await examineImage(image, "registration", examiner);
  if (original === null) throw new Error("A registration has an original.");
  return { id, original: decodePacket(original.packet), words: original.words };
}

export async function asked(
  image: Uint8Array,
): Promise<{ readonly query: Query; readonly words: Int32Array }> {
  const { query, queryWords } = await examineImage(image, "lookup", examiner);
  return { query: readQueryState(query), words: queryWords };
}
