import { setImmediate } from "node:timers/promises";
import {
  type Examination,
  filedBeside,
  type ImageEngine,
  isReadablePacket,
  isReadVersion,
} from "@colophon/engine";
import type { Logger } from "pino";
import type { PacketSeal } from "../keys/packet-seal.ts";
import type { Metrics, VerdictOutcome } from "../metrics/metrics.ts";
import type { Database, Write } from "../store/database.ts";
import {
  deleteFeatures,
  filedUnder,
  type IndexedOriginal,
  insertFeatures,
} from "../store/index/match-index.ts";
import { fillRankingParts } from "../store/index/ranking-parts.ts";
import type { Extraction } from "../store/originals/extraction.ts";
import { insertOriginals, type LiveOriginal, liveOriginalByImage } from "../store/originals/originals.ts";
import { checked, notYet, sizeOf, whole } from "./matched-originals.ts";
import { PictureSearch } from "./picture-search.ts";
import type {
  AlreadyRegistered,
  Checked,
  Declined,
  Engine,
  Extracted,
  Identical,
  NotYet,
  Pixels,
  Published,
  RecordedFrame,
  SequenceNotRecorded,
  SequenceRecorded,
} from "./port.ts";
import { recordSequence } from "./sequence-record.ts";

/**
 * The engine of this build: processes and threads of its own for the pictures, PostgreSQL for the index, packets sealed
 * at rest.
 */
export class EmbeddedEngine implements Engine {
  readonly #images: ImageEngine;
  readonly #database: Database;
  readonly #packets: PacketSeal;
  readonly #search: PictureSearch;
  readonly #metrics: Pick<Metrics, "verdict">;

  constructor(
    images: ImageEngine,
    database: Database,
    packets: PacketSeal,
    { log, metrics }: { log: Pick<Logger, "warn">; metrics: Pick<Metrics, "stage" | "verdict"> },
  ) {
    this.#images = images;
    this.#database = database;
    this.#packets = packets;
    this.#search = new PictureSearch({ images, database, packets, log, metrics });
    this.#metrics = metrics;
  }

  assertConfigured(): void {}

  async lookUp(image: Pixels, accountId: string): Promise<Checked | Declined | NotYet> {
    const answer = await this.#lookUp(image, accountId);
    this.#metrics.verdict(verdictOf(answer));
    return answer;
  }

  async preCheck(
    image: Pixels,
    accountId: string,
    apartFrom: ReadonlySet<number> = NONE,
  ): Promise<Extracted | Identical | Declined | NotYet> {
    const original = await liveOriginalByImage(this.#database, image.imageHash);
    if (original !== null && !apartFrom.has(original.imageNo)) return { outcome: "identical", original };
    const examined = await this.#images.examine(image.parts, "registration", accountId);
    if (examined.outcome === "busy") return notYet(examined.retryAfterSeconds);
    if (examined.outcome === "declined") return examined;
    using examination = examined;
    const found = await this.#search.compare(image, examination, apartFrom);
    if (found.outcome === "notYet") return found;
    const like = found.matches.map(({ imageNo }) => imageNo);
    const words = filedBeside(
      examination.original?.words ?? NO_WORDS,
      like.length > 0 || apartFrom.size > 0,
      await filedUnder(this.#database, like),
    );
    return { ...found, extraction: this.#extraction(image, examination, words) };
  }

  get isAlive(): boolean {
    return this.#images.isAlive;
  }

  get queueLength(): number {
    return this.#images.queueLength;
  }

  async publish(
    write: Write,
    accountId: string,
    extractions: readonly Extraction[],
  ): Promise<readonly (Published | AlreadyRegistered)[]> {
    const numbers = await insertOriginals(write, accountId, extractions);
    await this.#packets.hold(write);
    const published: IndexedOriginal[] = [];
    for (const extraction of extractions) {
      const imageNo = numbers.get(extraction.imageHash.toString("hex"));
      if (imageNo === undefined) continue;
      // Making a ranking part takes about a millisecond, in which nobody is answered.
      await setImmediate();
      const sealed = await this.#packets.forPublication(extraction.packet, extraction.words);
      published.push({ ...extraction, ...sealed, imageNo });
    }
    await insertFeatures(write, published);
    const answers: (Published | AlreadyRegistered)[] = [];
    for (const { imageHash } of extractions) {
      const imageNo = numbers.get(imageHash.toString("hex"));
      if (imageNo !== undefined) answers.push({ outcome: "published", imageNo });
      else answers.push({ outcome: "alreadyRegistered", original: await winnerOf(write, imageHash) });
    }
    return answers;
  }

  async canPublish({
    packet,
    packetVersion,
  }: Pick<Extraction, "packet" | "packetVersion">): Promise<boolean> {
    if (!isReadVersion(packetVersion)) return false;
    const opened = await this.#packets.open(packet);
    const readable = opened !== null && isReadablePacket(opened);
    opened?.fill(0);
    return readable;
  }

  withdraw(write: Write, imageNos: readonly number[]): Promise<void> {
    return deleteFeatures(write, imageNos);
  }

  recordSequence(
    write: Write,
    sequenceId: string,
    frames: readonly RecordedFrame[],
  ): Promise<SequenceRecorded | SequenceNotRecorded> {
    return recordSequence(write, sequenceId, frames);
  }

  async fillRankingParts(): Promise<number> {
    return fillRankingParts(this.#database, async ({ packet, words }, write) => {
      await setImmediate();
      await this.#packets.hold(write);
      return (await this.#packets.forPublication(packet, words)).part;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#images[Symbol.asyncDispose]();
  }

  async #lookUp(image: Pixels, accountId: string): Promise<Checked | Declined | NotYet> {
    const found = await this.#search.lookInto(image, accountId);
    if (found.outcome !== "declined") return found;
    // What was registered once may be more than is accepted by now.
    const identical = await liveOriginalByImage(this.#database, image.imageHash);
    return identical ? checked([whole(identical, "identical")], sizeOf(identical)) : found;
  }

  #extraction(
    image: Pixels,
    { original, contentHash, pixelHash, width, height }: Examination,
    words: Int32Array,
  ): Extraction {
    if (!original) throw new TypeError("An image that was examined for its registration has a packet.");
    return {
      originalImageHash: Buffer.from(contentHash),
      imageHash: image.imageHash,
      pixelHash: Buffer.from(pixelHash),
      width,
      height,
      packet: this.#packets.seal(original.packet),
      packetVersion: original.version,
      words,
    };
  }
}

/** The live original that kept these bytes from being published. */
async function winnerOf(write: Write, imageHash: Buffer): Promise<LiveOriginal> {
  const winner = await liveOriginalByImage(write, imageHash);
  if (!winner) throw new Error("An original conflicts with one that is not there.");
  return winner;
}

function verdictOf(answer: Checked | Declined | NotYet): VerdictOutcome {
  if (answer.outcome !== "checked") return answer.outcome;
  return answer.matches.length > 0 ? "matched" : "notMatched";
}

const NONE: ReadonlySet<number> = new Set();
const NO_WORDS = new Int32Array(0);
