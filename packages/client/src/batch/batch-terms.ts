import type { UploadOutcome } from "@colophon/contract";
import type { ManifestInput } from "../http/parts.ts";
import type { CallOptions } from "../http/transport.ts";

/** A file of a batch. Its bytes are read twice: to be hashed, and to be sent if the slot lacks them. */
export interface BatchFile {
  /** What the result names it by. */
  readonly name: string;
  /** Knows its media type. */
  readonly image: Blob;
  /**
   * Of a look-up, none. Of files with the same bytes, those of the first count. A function is asked each time the file
   * is sent, so that what many files carry is not held together.
   */
  readonly manifests?: readonly ManifestInput[] | (() => Promise<readonly ManifestInput[]>) | undefined;
}

/** How a batch is worked through. */
export interface BatchOptions extends CallOptions {
  /** A slot of an earlier run to go on with; what it holds is not sent again. */
  readonly slotId?: string | undefined;
  /** Called at every step, with the state of the whole batch. */
  readonly onProgress?: ((progress: BatchProgress) => void) | undefined;
  /** Called when a file's state changes, with its place among the files. Files with the same bytes change together. */
  readonly onFile?: ((at: number, state: BatchFileState) => void) | undefined;
  /** How many uploads are under way at once; 2 unless told. */
  readonly concurrency?: number | undefined;
  /**
   * How many images one upload carries at most; 8 unless told. It carries 32 MiB at most, a single longer image apart.
   */
  readonly imagesPerUpload?: number | undefined;
}

/** Where a batch stands. Files with the same bytes count as one image. */
export interface BatchProgress {
  readonly phase: "hashing" | "uploading" | "committing" | "done";
  /** Null until the slot is known. Keep it to go on after an interruption. */
  readonly slotId: string | null;
  readonly files: number;
  readonly hashed: number;
  readonly images: number;
  /** Images that the slot held, or remembered as not to be registered, before this run. */
  readonly alreadyHeld: number;
  readonly sent: number;
  readonly bytes: number;
  readonly bytesDone: number;
  /** Images that the commit has settled; asked for now and then while it is under way, if anybody listens. */
  readonly settled: number;
}

/** How far a file of a batch has come before the commit. */
export type BatchFileState =
  | { readonly kind: "hashed"; readonly imageHash: string }
  | { readonly kind: "sending" }
  /** The slot holds it, or remembers it as not to be registered. */
  | { readonly kind: "held" }
  | { readonly kind: "rejected"; readonly reason: string };

/** What became of one file of a batch. */
export interface BatchItem<Answer> {
  readonly name: string;
  /** SHA-256, lowercase hex. */
  readonly imageHash: string;
  /** Whether its bytes were sent in this run. */
  readonly sent: boolean;
  /** What the commit made of it; null when the slot did not take it. */
  readonly answer: Answer | null;
  /** Why the slot did not take it; null when it did. */
  readonly rejectionReason: string | null;
}

/** What became of a batch, one item per file in the order given. */
export interface BatchResult<Answer> {
  readonly slotId: string;
  readonly items: readonly BatchItem<Answer>[];
}

/** What a batch needs of a slot of either kind. */
export interface BatchSlots<Answer extends { readonly imageHash: string }> {
  open(options: CallOptions): Promise<string>;
  missing(slotId: string, hashes: readonly string[], options: CallOptions): Promise<string[]>;
  upload(slotId: string, files: readonly BatchFile[], options: CallOptions): Promise<UploadOutcome[]>;
  commit(slotId: string, options: CallOptions): Promise<readonly Answer[]>;
  /** The answers of a committed slot, null while it is open. */
  committed(slotId: string, options: CallOptions): Promise<readonly Answer[] | null>;
  /** How many images a commit has settled so far. */
  settled(slotId: string, options: CallOptions): Promise<number>;
}
