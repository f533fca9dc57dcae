import type { DescribedPicture, Purpose } from "../examine/describe-picture.ts";
import type { Luma } from "../image/luma.ts";
import type { Picture } from "../image/coded/read-picture.ts";
import type { Match, MatchSeconds } from "../matching/match-query.ts";

/** One candidate of a look-up: a number of the caller's choosing and the packet that `examine` made. */
export interface PacketCandidate {
  readonly id: number;
  readonly packet: Uint8Array;
}

/**
 * One candidate of a look-up by what ranking needs of it: a number of the caller's choosing, and what `makeRankingPart`
 * made.
 */
export interface RankingCandidate {
  readonly id: number;
  readonly part: Uint8Array;
}

/** Packets or ranking parts one after the other, each with its id and where it ends. */
export interface Joined {
  readonly ids: Int32Array;
  readonly ends: Int32Array;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Arrays are copied to a worker one by one, and twice; joined they move at once. */
export function joined(parts: readonly (readonly [id: number, piece: Uint8Array])[]): Joined {
  const ids = Int32Array.from(parts, ([id]) => id);
  let total = 0;
  const ends = Int32Array.from(parts, ([, { length }]) => (total += length));
  const bytes = new Uint8Array(total);
  for (const [k, [, piece]] of parts.entries()) bytes.set(piece, ends[k]! - piece.length);
  return { ids, ends, bytes };
}

/** What was joined, each a view on all of it. */
export function* pieces({ ids, ends, bytes }: Joined): Generator<[id: number, piece: Uint8Array]> {
  for (const [k, id] of ids.entries()) yield [id, bytes.subarray(ends[k - 1] ?? 0, ends[k])];
}

/**
 * What a worker is sent. Rasters and queries move to it, and move back with the answer where more may be asked about
 * them.
 */
export type ImageJob =
  | { readonly kind: "glance"; readonly luma: Luma }
  | { readonly kind: "copy"; readonly luma: Luma; readonly original: PacketCandidate }
  | {
      readonly kind: "apart";
      readonly original: PacketCandidate;
      readonly others: readonly PacketCandidate[];
    }
  | {
      readonly kind: "describe";
      readonly picture: Picture;
      /** `cosineTerms` of the picture, if it was glanced at. */
      readonly terms: Float64Array | null;
      readonly purpose: Purpose;
    }
  | { readonly kind: "shortlist"; readonly query: ArrayBuffer; readonly parts: Joined }
  | { readonly kind: "match"; readonly query: ArrayBuffer; readonly packets: Joined };

/** What a worker answers; `failed` is a fault of the engine and says nothing about the image. */
export type ImageJobAnswer =
  | {
      readonly kind: "glanced";
      readonly wholeKeys: Int32Array;
      readonly terms: Float64Array;
      readonly luma: Luma;
    }
  | { readonly kind: "copied"; readonly match: Match | null; readonly luma: Luma }
  | { readonly kind: "apart"; readonly isApart: boolean }
  | { readonly kind: "described"; readonly described: DescribedPicture }
  | {
      readonly kind: "matched";
      readonly matches: readonly Match[];
      readonly unreadable: readonly number[];
      readonly query: ArrayBuffer;
      readonly seconds: MatchSeconds;
    }
  | {
      readonly kind: "shortlisted";
      readonly ids: readonly number[];
      readonly query: ArrayBuffer;
      readonly seconds: number;
    }
  | { readonly kind: "failed" };

/** What a worker is started with. */
export interface WorkerSetting {
  readonly vocabulary: SharedArrayBuffer;
  readonly packetKey: Uint8Array;
}
