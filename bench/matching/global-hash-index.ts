import type { Luma } from "../../packages/engine/src/features.ts";
import { type GlobalHash, hashDistance } from "./cosine-hash.ts";

/** Registered originals as a registry of global hashes holds them: one hash each, every one compared with the query. */
export class GlobalHashIndex {
  readonly #hash: (picture: Luma) => GlobalHash;
  readonly #originals = new Map<string, GlobalHash>();

  constructor(hash: (picture: Luma) => GlobalHash) {
    this.#hash = hash;
  }

  add(name: string, picture: Luma): void {
    this.#originals.set(name, this.#hash(picture));
  }

  /** Differing bits by original; those without a usable hash are left out, and all of them when the query has none. */
  distances(picture: Luma): ReadonlyMap<string, number> {
    const query = this.#hash(picture);
    const usable = query.usable ? [...this.#originals].filter(([, original]) => original.usable) : [];
    return new Map(usable.map(([name, original]) => [name, hashDistance(query, original)]));
  }
}

/** The names within `most` differing bits, nearest first. */
export function within(distances: ReadonlyMap<string, number>, most: number): string[] {
  return [...distances]
    .filter(([, bits]) => bits <= most)
    .toSorted((a, b) => a[1] - b[1])
    .map(([name]) => name);
}
