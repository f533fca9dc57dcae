import type { REFUSALS, UploadOutcome } from "@colophon/contract";
import { sha256Hex, toHex } from "@colophon/formats";
import type {
  BatchFile,
  BatchFileState,
  BatchItem,
  BatchOptions,
  BatchProgress,
  BatchResult,
  BatchSlots,
} from "./batch-terms.ts";
import { ColophonConnectionError, ColophonError } from "../http/errors.ts";
import { pause } from "../http/pause.ts";
import type { CallOptions } from "../http/transport.ts";
import { workThrough } from "./work-through.ts";

/** An image of the batch, whatever number of its files holds it. */
interface Image {
  readonly hash: string;
  readonly file: BatchFile;
  /** The places of the files that hold it. */
  readonly places: number[];
  sent: boolean;
  rejectionReason: string | null;
}

/** What an upload left to be sent again, and why it was not settled. */
interface Unsettled {
  readonly again: readonly Image[];
  readonly reason: string;
}

const SETTLED: Unsettled = { again: [], reason: "" };

/** The one rejection that asks for the image again. */
const SEND_AGAIN: (typeof REFUSALS)["imageCouldNotBeCheckedYet"]["details"]["only"] =
  "This image could not be checked against registered originals yet. Nothing was registered, answered or charged; send it again.";

const HASHES_PER_CALL = 1000;
const IMAGES_PER_UPLOAD = 8;
const BYTES_PER_UPLOAD = 32 * 2 ** 20;
/** How often an upload or a commit is tried that got no answer, or that the service asks to repeat. */
const TRIES = 6;
const FIRST_PAUSE_SECONDS = 0.5;
const COMMIT_PAUSE_SECONDS = 1;
/** How long to wait before a commit that is under way is asked again how far it is. */
const WATCH_PAUSE_SECONDS = 2;

/** One batch from its files to its answers. */
export class Batch<Answer extends { readonly imageHash: string }> {
  readonly #slots: BatchSlots<Answer>;
  readonly #options: BatchOptions;
  readonly #files: readonly BatchFile[];
  readonly #hashes: string[] = [];
  readonly #images = new Map<string, Image>();
  #progress: BatchProgress;
  /** Set by the first refusal of the grant; whatever is left would be refused as well. */
  #exhausted: string | null = null;

  constructor(slots: BatchSlots<Answer>, files: readonly BatchFile[], options: BatchOptions) {
    this.#slots = slots;
    this.#files = files;
    this.#options = options;
    this.#progress = {
      phase: "hashing",
      slotId: options.slotId ?? null,
      files: files.length,
      hashed: 0,
      images: 0,
      alreadyHeld: 0,
      sent: 0,
      bytes: 0,
      bytesDone: 0,
      settled: 0,
    };
  }

  /**
   * Hashes the files, sends what the slot lacks, commits. When it throws, the slot stays open as far as it came.
   *
   * @throws ColophonError, ColophonConnectionError, the signal's reason
   */
  async run(): Promise<BatchResult<Answer>> {
    await this.#hash();
    const slotId = this.#options.slotId ?? (await this.#slots.open(this.#options));
    this.#report({ phase: "uploading", slotId });
    const settled =
      this.#options.slotId === undefined ? null : await this.#slots.committed(slotId, this.#options);
    if (settled !== null) return this.#result(slotId, settled);
    try {
      await this.#uploadAll(slotId, await this.#toSend(slotId, [...this.#images.values()]));
    } catch (error) {
      // A commit that an earlier run asked for may still be under way.
      if (this.#options.slotId === undefined || !isClosed(error)) throw error;
    }
    this.#report({ phase: "committing" });
    return this.#result(slotId, await this.#committed(slotId));
  }

  /** Commits while somebody is told how far that is. */
  async #committed(slotId: string): Promise<readonly Answer[]> {
    const { signal, onProgress } = this.#options;
    if (onProgress === undefined) return this.#commit(slotId);
    const ended = new AbortController();
    const watching = this.#watch(
      slotId,
      signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]),
    );
    try {
      return await this.#commit(slotId);
    } finally {
      ended.abort();
      await watching;
    }
  }

  /** Reports what the commit has settled until the signal ends that. What goes wrong here is the commit's to find. */
  async #watch(slotId: string, signal: AbortSignal): Promise<void> {
    try {
      for (;;) {
        await pause(WATCH_PAUSE_SECONDS, signal);
        this.#report({ settled: await this.#slots.settled(slotId, { signal }) });
      }
    } catch {
      // Nobody is told any more.
    }
  }

  async #hash(): Promise<void> {
    this.#report({});
    for (const file of this.#files) {
      this.#options.signal?.throwIfAborted();
      const hash = await hashOf(file.image);
      const place = this.#hashes.push(hash) - 1;
      const { images, bytes } = this.#progress;
      const known = this.#images.get(hash);
      if (known === undefined) {
        this.#images.set(hash, { hash, file, places: [place], sent: false, rejectionReason: null });
      } else known.places.push(place);
      this.#options.onFile?.(place, { kind: "hashed", imageHash: hash });
      const more = known === undefined ? { images: images + 1, bytes: bytes + file.image.size } : {};
      this.#report({ hashed: this.#hashes.length, ...more });
    }
  }

  /** The images that the slot lacks; the others are done. */
  async #toSend(slotId: string, images: readonly Image[]): Promise<Image[]> {
    const missing = new Set<string>();
    for (let at = 0; at < images.length; at += HASHES_PER_CALL) {
      const declared = images.slice(at, at + HASHES_PER_CALL).map(({ hash }) => hash);
      for (const hash of await this.#slots.missing(slotId, declared, this.#options)) missing.add(hash);
    }
    const held = images.filter(({ hash }) => !missing.has(hash));
    const alreadyHeld = held.filter(({ sent }) => !sent).length;
    this.#report({ alreadyHeld: this.#progress.alreadyHeld + alreadyHeld });
    this.#done(held);
    return images.filter(({ hash }) => missing.has(hash));
  }

  async #uploadAll(slotId: string, images: readonly Image[]): Promise<void> {
    await workThrough(this.#uploads(images), this.#options, (upload, options) =>
      this.#upload(slotId, upload, options),
    );
  }

  /** The images in uploads of bounded size. */
  *#uploads(images: readonly Image[]): Generator<Image[]> {
    const { imagesPerUpload = IMAGES_PER_UPLOAD } = this.#options;
    let upload: Image[] = [];
    let bytes = 0;
    for (const image of images) {
      const { size } = image.file.image;
      if (upload.length > 0 && (upload.length >= imagesPerUpload || bytes + size > BYTES_PER_UPLOAD)) {
        yield upload;
        upload = [];
        bytes = 0;
      }
      upload.push(image);
      bytes += size;
    }
    if (upload.length > 0) yield upload;
  }

  /** Sends images until each is held or rejected for good. */
  async #upload(slotId: string, images: readonly Image[], options: CallOptions): Promise<void> {
    let left = images;
    for (let attempt = 1; ; attempt += 1) {
      if (this.#exhausted !== null) return this.#reject(left, this.#exhausted);
      const { again, reason } = await this.#send(slotId, left, options);
      if (again.length === 0) return;
      if (attempt === TRIES) return this.#reject(again, reason);
      await pause(FIRST_PAUSE_SECONDS * 2 ** (attempt - 1), options.signal);
      left = again;
    }
  }

  /** Sends images once; answers those to be sent again, and why. */
  async #send(slotId: string, images: readonly Image[], options: CallOptions): Promise<Unsettled> {
    const files = images.map(({ file }) => file);
    for (const image of images) this.#tell(image, { kind: "sending" });
    try {
      return {
        again: this.#take(images, await this.#slots.upload(slotId, files, options)),
        reason: SEND_AGAIN,
      };
    } catch (error) {
      if (error instanceof ColophonError) return this.#refused(slotId, images, error, options);
      if (!(error instanceof ColophonConnectionError)) throw error;
      // Whether it arrived, the slot knows; if that cannot be asked either, the service is away.
      this.#markSent(images);
      const missing = await this.#toSend(slotId, images);
      if (missing.length > 1) return this.#oneByOne(slotId, missing, options);
      return { again: missing, reason: error.message };
    }
  }

  async #refused(
    slotId: string,
    images: readonly Image[],
    refusal: ColophonError,
    options: CallOptions,
  ): Promise<Unsettled> {
    if (refusal.is("quotaExceeded")) this.#exhausted = refusal.detail;
    else if (!refusal.is("requestTooLarge")) throw refusal;
    else if (images.length > 1) return this.#oneByOne(slotId, images, options);
    this.#reject(images, refusal.detail);
    return SETTLED;
  }

  /** Sends images on their own, so that one at fault does not keep the others back. */
  async #oneByOne(slotId: string, images: readonly Image[], options: CallOptions): Promise<Unsettled> {
    for (const image of images) await this.#upload(slotId, [image], options);
    return SETTLED;
  }

  #take(images: readonly Image[], outcomes: readonly UploadOutcome[]): Image[] {
    this.#markSent(images);
    const again: Image[] = [];
    const done: Image[] = [];
    for (const { partIndex, accepted, rejectionReason } of outcomes) {
      const image = images[partIndex - 1];
      if (image === undefined) {
        throw new ColophonConnectionError("The answer names an image that was not sent.");
      }
      if (!accepted && rejectionReason === SEND_AGAIN) again.push(image);
      else {
        image.rejectionReason = rejectionReason;
        done.push(image);
      }
    }
    this.#done(done);
    return again;
  }

  /** Counts images as sent; the next report says so, with what became of them. */
  #markSent(images: readonly Image[]): void {
    const unsent = images.filter(({ sent }) => !sent);
    for (const image of unsent) image.sent = true;
    this.#progress = { ...this.#progress, sent: this.#progress.sent + unsent.length };
  }

  #reject(images: readonly Image[], reason: string): void {
    for (const image of images) image.rejectionReason = reason;
    this.#done(images);
  }

  /**
   * Commits, or waits for a commit that is under way: one whose answer got lost runs to its end, and however often it
   * is asked for again, a slot is committed once.
   */
  async #commit(slotId: string): Promise<readonly Answer[]> {
    for (let unanswered = 0; ; ) {
      try {
        return await this.#slots.commit(slotId, this.#options);
      } catch (error) {
        const underWay = isClosed(error);
        if (!underWay && !(error instanceof ColophonConnectionError)) throw error;
        unanswered = underWay ? 0 : unanswered + 1;
        if (unanswered === TRIES) throw error;
      }
      const answers = await this.#slots.committed(slotId, this.#options);
      if (answers !== null) return answers;
      await pause(COMMIT_PAUSE_SECONDS, this.#options.signal);
    }
  }

  #result(slotId: string, answers: readonly Answer[]): BatchResult<Answer> {
    const byHash = new Map(answers.map((answer) => [answer.imageHash, answer]));
    const items = this.#files.map(({ name }, at): BatchItem<Answer> => {
      const imageHash = this.#hashes[at] ?? "";
      const image = this.#images.get(imageHash);
      const answer = byHash.get(imageHash) ?? null;
      const rejectionReason = answer === null ? (image?.rejectionReason ?? null) : null;
      return { name, imageHash, sent: image?.sent ?? false, answer, rejectionReason };
    });
    this.#report({ phase: "done", settled: answers.length });
    return { slotId, items };
  }

  #done(images: readonly Image[]): void {
    const bytes = images.reduce((sum, { file }) => sum + file.image.size, 0);
    for (const image of images) {
      const { rejectionReason: reason } = image;
      this.#tell(image, reason === null ? { kind: "held" } : { kind: "rejected", reason });
    }
    this.#report({ bytesDone: this.#progress.bytesDone + bytes });
  }

  #tell({ places }: Image, state: BatchFileState): void {
    for (const place of places) this.#options.onFile?.(place, state);
  }

  #report(changes: Partial<BatchProgress>): void {
    this.#progress = { ...this.#progress, ...changes };
    this.#options.onProgress?.(this.#progress);
  }
}

function isClosed(error: unknown): boolean {
  return error instanceof ColophonError && error.is("slotIsNoLongerOpen");
}

/** SHA-256, by the platform where it offers it: browsers do on secure pages only. */
async function hashOf(image: Blob): Promise<string> {
  const bytes = new Uint8Array(await image.arrayBuffer());
  const subtle: SubtleCrypto | undefined = crypto.subtle;
  return subtle === undefined
    ? sha256Hex(bytes)
    : toHex(new Uint8Array(await subtle.digest("SHA-256", bytes)));
}
