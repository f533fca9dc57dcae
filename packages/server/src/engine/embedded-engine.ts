import {
  type Candidate,
  type Examination,
  type ImageEngine,
  isReadablePacket,
  PACKET_VERSION,
} from "@colophon/engine";
import type { Logger } from "pino";
import type { Vault } from "../keys/vault.ts";
import type { Database, Write } from "../store/database.ts";
import {
  deleteFeatures,
  type IndexedPacket,
  insertFeatures,
  retrieveCandidates,
} from "../store/match-index.ts";
import {
  insertOriginals,
  liveOriginalByImage,
  liveOriginalsByNumber,
  liveOriginalsByPixels,
} from "../store/originals.ts";
import type {
  Checked,
  Declined,
  Engine,
  Extraction,
  MatchedOriginal,
  NotYet,
  Pixels,
  Published,
  RecordedFrame,
  SequenceNotRecorded,
  SequenceRecorded,
} from "./port.ts";
import { PacketSeal } from "./packet-seal.ts";
import { recordSequence } from "./sequence-record.ts";

/** The engine of this build: worker threads for the pictures, PostgreSQL for the index, packets sealed at rest. */
export class EmbeddedEngine implements Engine {
  readonly #images: ImageEngine;
  readonly #database: Database;
  readonly #packets: PacketSeal;
  readonly #log: Pick<Logger, "warn">;

  constructor(images: ImageEngine, database: Database, packets: Vault, log: Pick<Logger, "warn">) {
    this.#images = images;
    this.#database = database;
    this.#packets = new PacketSeal(packets);
    this.#log = log;
  }

  assertConfigured(): void {}

  async check(
    image: Pixels,
    purpose: "registration" | "lookup",
    apartFrom: ReadonlySet<number> = NONE,
  ): Promise<Checked | Declined | NotYet> {
    const identical = await liveOriginalByImage(this.#database, image.imageHash);
    if (identical && !apartFrom.has(identical.imageNo))
      return { outcome: "checked", matches: [identical], extraction: null };
    const examined = await this.#images.examine(image.bytes, purpose);
    if (examined.outcome === "busy") return notYet(examined.retryAfterSeconds);
    if (examined.outcome === "declined") return examined;
    using examination = examined;
    const matches = await this.#compare(examination, apartFrom);
    if ("outcome" in matches) return matches;
    const extraction = matches.length === 0 ? this.#extraction(image, examination) : null;
    return { outcome: "checked", matches, extraction };
  }

  async publish(
    write: Write,
    accountId: string,
    extraction: Extraction,
  ): Promise<Published | MatchedOriginal> {
    const [answer] = await this.publishAll(write, accountId, [extraction]);
    if (!answer) throw new Error("One extraction was published and none answered.");
    return answer;
  }

  async publishAll(
    write: Write,
    accountId: string,
    extractions: readonly Extraction[],
  ): Promise<readonly (Published | MatchedOriginal)[]> {
    const numbers = await insertOriginals(write, accountId, extractions);
    const published = extractions.flatMap((extraction) => {
      const imageNo = numbers.get(extraction.imageHash.toString("hex"));
      return imageNo === undefined ? [] : [{ imageNo, ...extraction }];
    });
    await insertFeatures(write, published);
    const answers: (Published | MatchedOriginal)[] = [];
    for (const { imageHash } of extractions) {
      const imageNo = numbers.get(imageHash.toString("hex"));
      answers.push(imageNo === undefined ? await winnerOf(write, imageHash) : { imageNo, identical: false });
    }
    return answers;
  }

  canPublish({ packet, packetVersion }: Pick<Extraction, "packet" | "packetVersion">): boolean {
    if (packetVersion !== PACKET_VERSION) return false;
    const opened = this.#packets.open(packet);
    const readable = opened !== null && isReadablePacket(opened);
    opened?.fill(0);
    return readable;
  }

  withdraw(write: Write, imageNo: number): Promise<void> {
    return deleteFeatures(write, imageNo);
  }

  recordSequence(
    write: Write,
    sequenceId: string,
    frames: readonly RecordedFrame[],
  ): Promise<SequenceRecorded | SequenceNotRecorded> {
    return recordSequence(write, sequenceId, frames);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#images[Symbol.asyncDispose]();
  }

  /** The same pixels first, then what shares enough features to be compared in full. */
  async #compare(
    examination: Examination,
    apartFrom: ReadonlySet<number>,
  ): Promise<readonly MatchedOriginal[] | NotYet> {
    const samePixels = await liveOriginalsByPixels(this.#database, examination.pixelHash);
    const others = samePixels.filter((original) => !apartFrom.has(original.imageNo));
    if (others.length > 0) return others;
    const candidates = await retrieveCandidates(this.#database, examination.queryWords, apartFrom);
    const { opened, closed } = this.#open(candidates);
    const answer = await this.#images.match(examination, opened);
    if (answer.outcome === "busy") return notYet(answer.retryAfterSeconds);
    this.#report([...closed, ...answer.unreadable]);
    return liveOriginalsByNumber(this.#database, answer.ids);
  }

  #open(candidates: readonly IndexedPacket[]): { opened: Candidate[]; closed: number[] } {
    const [opened, closed]: [Candidate[], number[]] = [[], []];
    for (const { imageNo, sealed } of candidates) {
      const packet = this.#packets.open(sealed);
      if (packet === null) closed.push(imageNo);
      else opened.push({ id: imageNo, packet });
    }
    return { opened, closed };
  }

  /** Says which originals could not be compared: they are still found by the same bytes or pixels, by nothing else. */
  #report(unread: readonly number[]): void {
    if (unread.length === 0) return;
    const originals = unread.slice(0, MOST_REPORTED);
    this.#log.warn({ originals, count: unread.length }, "stored packets could not be read");
  }

  #extraction(image: Pixels, { original, contentHash, pixelHash }: Examination): Extraction | null {
    if (!original) return null;
    return {
      originalImageHash: Buffer.from(contentHash),
      imageHash: image.imageHash,
      pixelHash: Buffer.from(pixelHash),
      packet: this.#packets.seal(original.packet),
      packetVersion: original.version,
      words: original.words,
    };
  }
}

/** The live original that kept these bytes from being published. */
async function winnerOf(write: Write, imageHash: Buffer): Promise<MatchedOriginal> {
  const winner = await liveOriginalByImage(write, imageHash);
  if (!winner) throw new Error("An original conflicts with one that is not there.");
  return winner;
}

const NONE: ReadonlySet<number> = new Set();
/** Originals that one line of the log names at most. */
const MOST_REPORTED = 10;

function notYet(retryAfterSeconds: number): NotYet {
  return { outcome: "notYet", retryAfterSeconds };
}
