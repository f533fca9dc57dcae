import type { DeclineName } from "./decode.ts";
import type { ExaminedImage, Purpose } from "./examine-image.ts";

/** One candidate of a look-up: a number of the caller's choosing and the packet that `examine` made. */
export interface Candidate {
  readonly id: number;
  readonly packet: Uint8Array;
}

/** What the pool sends to a worker. */
export type ImageJob =
  | { readonly kind: "examine"; readonly image: Uint8Array; readonly purpose: Purpose }
  | { readonly kind: "match"; readonly query: SharedArrayBuffer; readonly candidates: readonly Candidate[] };

/** What a worker answers; `failed` is a fault of the engine and says nothing about the image. */
export type ImageJobAnswer =
  | { readonly kind: "examined"; readonly image: ExaminedImage }
  | { readonly kind: "declined"; readonly name: DeclineName; readonly message: string }
  | { readonly kind: "matched"; readonly ids: readonly number[]; readonly unreadable: readonly number[] }
  | { readonly kind: "failed" };

/** What a worker is started with. */
export interface WorkerSetting {
  readonly place: number;
  readonly vocabulary: SharedArrayBuffer;
  readonly budget: SharedArrayBuffer;
  readonly packetKey: Uint8Array;
  readonly acceptedTypes: readonly string[];
  readonly maxImagePixels: number;
  readonly decodeSeconds: number;
}
