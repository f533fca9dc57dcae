import type { Luma } from "@colophon/engine/lab";
import { type GlobalHash, hashDistance } from "./cosine-hash.ts";
import { pdqHash } from "./pdq.ts";
import { perceptualHash } from "./perceptual-hash.ts";

/** Both hashes of one picture. */
export interface PictureHashes {
  readonly pdq: GlobalHash;
  readonly perceptual: GlobalHash;
}

/** Differing bits by original; none for an original without a usable hash, none at all when the query has none. */
export type Distances = Readonly<Record<string, number>>;

export function hashPicture(picture: Luma): PictureHashes {
  return { pdq: pdqHash(picture), perceptual: perceptualHash(picture) };
}

/** What a registry that compares one of the hashes of a query with those of all originals would see. */
export function distances(
  query: PictureHashes,
  originals: ReadonlyMap<string, PictureHashes>,
  hash: keyof PictureHashes,
): Distances {
  if (!query[hash].usable) return {};
  const usable = [...originals].filter(([, original]) => original[hash].usable);
  return Object.fromEntries(
    usable.map(([name, original]) => [name, hashDistance(query[hash], original[hash])]),
  );
}

/** The names within `most` differing bits, nearest first. */
export function within(bits: Distances, most: number): string[] {
  return Object.entries(bits)
    .filter(([, differing]) => differing <= most)
    .toSorted((a, b) => a[1] - b[1])
    .map(([name]) => name);
}
