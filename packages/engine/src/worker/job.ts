import type { DescribedPicture, Purpose } from "../examine/describe-picture.ts";
import type { Picture } from "../image/read-picture.ts";
import type { Match, MatchSeconds } from "../matching/match-query.ts";

/** One candidate of a look-up: a number of the caller's choosing and the packet that `examine` made. */
export interface PacketCandidate {
  readonly id: number;
  readonly packet: Uint8Array;
}

/** What a worker is sent. The picture's raster and the query move to it, the query moves back with the answer. */
export type ImageJob =
  | { readonly kind: "describe"; readonly picture: Picture; readonly purpose: Purpose }
  | { readonly kind: "match"; readonly query: ArrayBuffer; readonly candidates: readonly PacketCandidate[] };

/** What a worker answers; `failed` is a fault of the engine and says nothing about the image. */
export type ImageJobAnswer =
  | { readonly kind: "described"; readonly described: DescribedPicture }
  | {
      readonly kind: "matched";
      readonly matches: readonly Match[];
      readonly unreadable: readonly number[];
      readonly query: ArrayBuffer;
      readonly seconds: MatchSeconds;
    }
  | { readonly kind: "failed" };

/** What a worker is started with. */
export interface WorkerSetting {
  readonly vocabulary: SharedArrayBuffer;
  readonly packetKey: Uint8Array;
}
