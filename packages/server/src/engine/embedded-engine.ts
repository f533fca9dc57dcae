import { setImmediate } from "node:timers/promises";
import {
  type PacketCandidate,
  type Examination,
  type Glance,
  type ImageEngine,
  type Matched,
  filedBeside,
  isReadablePacket,
  MAX_SHORTLISTED,
  PACKET_VERSION,
  type Place,
  type RankingCandidate,
  type Size,
  UNIT_SQUARE,
} from "@colophon/engine";
import type { Logger } from "pino";
import type { Vault } from "../keys/vault.ts";
import type { Metrics, VerdictOutcome } from "../metrics/metrics.ts";
import type { Database, Write } from "../store/database.ts";
import {
  deleteFeatures,
  filedUnder,
  type IndexedCandidate,
  type IndexedOriginal,
  insertFeatures,
  retrieveCandidates,
  retrieveCopied,
} from "../store/index/match-index.ts";
import { fillRankingParts } from "../store/index/ranking-parts.ts";
import { sealedPackets } from "../store/originals/sealed-packets.ts";
import type { Extraction } from "../store/originals/extraction.ts";
import {
  insertOriginals,
  type LiveOriginal,
  liveOriginalByImage,
  liveOriginalsByNumber,
  liveOriginalsByPixels,
} from "../store/originals/originals.ts";
import type {
  AlreadyRegistered,
  Checked,
  Declined,
  Engine,
  Extracted,
  Identical,
  MatchedOriginal,
  NotYet,
  Pixels,
  Published,
  RecordedFrame,
  Relation,
  SequenceNotRecorded,
  SequenceRecorded,
} from "./port.ts";
import { PacketSeal } from "./packet-seal.ts";
import { recordSequence } from "./sequence-record.ts";

type Located = Matched["matches"][number];

/** The engine of this build: processes and threads of its own for the pictures, PostgreSQL for the index, packets sealed at rest. */
export class EmbeddedEngine implements Engine {
  readonly #images: ImageEngine;
  readonly #database: Database;
  readonly #packets: PacketSeal;
  readonly #log: Pick<Logger, "warn">;
  readonly #metrics: Pick<Metrics, "stage" | "verdict">;

  constructor(
    images: ImageEngine,
    database: Database,
    packets: Vault,
    { log, metrics }: { log: Pick<Logger, "warn">; metrics: Pick<Metrics, "stage" | "verdict"> },
  ) {
    this.#images = images;
    this.#database = database;
    this.#packets = new PacketSeal(packets);
    this.#log = log;
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
    const found = await this.#compare(image, examination, apartFrom);
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
    extraction: Extraction,
  ): Promise<Published | AlreadyRegistered> {
    const [answer] = await this.publishAll(write, accountId, [extraction]);
    if (!answer) throw new Error("One extraction was published and none answered.");
    return answer;
  }

  async publishAll(
    write: Write,
    accountId: string,
    extractions: readonly Extraction[],
  ): Promise<readonly (Published | AlreadyRegistered)[]> {
    const numbers = await insertOriginals(write, accountId, extractions);
    const published: IndexedOriginal[] = [];
    for (const extraction of extractions) {
      const imageNo = numbers.get(extraction.imageHash.toString("hex"));
      if (imageNo === undefined) continue;
      await breathe(published.length);
      const part = this.#packets.rankingPartOf(extraction.packet, extraction.words);
      published.push({ imageNo, part, ...extraction });
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

  async fillRankingParts(): Promise<number> {
    let unsealed = 0;
    return fillRankingParts(this.#database, async ({ packet, words }) => {
      unsealed += 1;
      await breathe(unsealed);
      return this.#packets.rankingPartOf(packet, Int32Array.from(words));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#images[Symbol.asyncDispose]();
  }

  async #lookUp(image: Pixels, accountId: string): Promise<Checked | Declined | NotYet> {
    const identical = await liveOriginalByImage(this.#database, image.imageHash);
    const known = identical === null ? [] : [whole(identical, "identical")];
    const found = await this.#lookInto(image, accountId);
    if (found.outcome === "notYet") return found;
    // What was registered once may be more than is accepted by now.
    if (found.outcome === "declined") return identical ? checked(known, sizeOf(identical)) : found;
    return checked(merged(known, found.matches), found.size);
  }

  /** What a picture shows: at a glance where it is a plain copy, else by its points. */
  async #lookInto(image: Pixels, accountId: string): Promise<Checked | Declined | NotYet> {
    const glanced = await this.#images.glance(image.parts, accountId);
    if (glanced.outcome === "busy") return notYet(glanced.retryAfterSeconds);
    if (glanced.outcome === "declined") return glanced;
    using glance = glanced;
    const copied = await this.#copied(glance);
    if (copied !== null && "outcome" in copied) return copied;
    if (copied !== null) return await this.#named(image, glance, [copied], NONE);
    const examined = await this.#images.examineGlanced(glance);
    if (examined.outcome === "busy") return notYet(examined.retryAfterSeconds);
    if (examined.outcome === "declined") return examined;
    using examination = examined;
    return await this.#compare(image, examination, NONE);
  }

  /** The one original that a picture is a plain copy of, when no other original may be named beside it; else null. */
  async #copied(glance: Glance): Promise<Located | null | NotYet> {
    const found = await retrieveCopied(this.#database, glance.wholeKeys);
    const packet = found && this.#packets.open(found.sealed);
    if (found === null || packet === null) return null;
    const original = { id: found.imageNo, packet };
    const compared = await this.#images.matchCopy(glance, original);
    if (compared.outcome === "busy") return notYet(compared.retryAfterSeconds);
    if (compared.match === null) return null;
    const near = await retrieveCandidates(this.#database, found.words, new Set([found.imageNo]));
    const nearest = near.slice(0, NEAREST).map(({ imageNo }) => imageNo);
    const { opened, closed } = await this.#open(nearest, await sealedPackets(this.#database, nearest));
    if (closed.length > 0) return null;
    const apart = await this.#images.standsApart(glance, original, opened);
    if (apart.outcome === "busy") return notYet(apart.retryAfterSeconds);
    return apart.isApart ? compared.match : null;
  }

  /** What shares enough features is compared in full. */
  async #compare(
    image: Pixels,
    examination: Examination,
    apartFrom: ReadonlySet<number>,
  ): Promise<Checked | NotYet> {
    const asked = performance.now();
    const candidates = await retrieveCandidates(this.#database, examination.queryWords, apartFrom);
    this.#metrics.stage("vote", (performance.now() - asked) / 1000);
    const worth = await this.#worthReading(examination, candidates);
    if ("outcome" in worth) return worth;
    const { opened, closed } = await this.#open(worth, await sealedPackets(this.#database, worth));
    const answer = await this.#images.match(examination, opened);
    if (answer.outcome === "busy") return notYet(answer.retryAfterSeconds);
    this.#report([...closed, ...answer.unreadable]);
    return this.#named(image, examination, answer.matches, apartFrom);
  }

  /** The originals of the same pixels and those that were matched, in that order. */
  async #named(
    image: Pixels,
    picture: Pick<Examination, "pixelHash" | "width" | "height">,
    found: readonly Located[],
    apartFrom: ReadonlySet<number>,
  ): Promise<Checked> {
    const samePixels = await liveOriginalsByPixels(this.#database, picture.pixelHash);
    const located = new Map(found.map((match) => [match.id, match]));
    const derived = await liveOriginalsByNumber(this.#database, [...located.keys()]);
    const matches = merged(
      samePixels
        .filter(({ imageNo }) => !apartFrom.has(imageNo))
        .map((original) => whole(original, relationTo(image, original))),
      derived.flatMap((original) => {
        const match = located.get(original.imageNo);
        return match === undefined ? [] : [derivedFrom(original, match)];
      }),
    );
    return checked(matches, sizeOf(picture));
  }

  /** Numbers of the candidates whose packets are to be compared: of many, those that stand out by their ranking parts or have none. */
  async #worthReading(
    examination: Examination,
    candidates: readonly IndexedCandidate[],
  ): Promise<readonly number[] | NotYet> {
    if (candidates.length <= MAX_SHORTLISTED) return candidates.map(({ imageNo }) => imageNo);
    const ranked: RankingCandidate[] = [];
    const others: number[] = [];
    for (const [at, { imageNo, part: sealed }] of candidates.entries()) {
      await breathe(at);
      const part = sealed === null ? null : this.#packets.openRankingPart(sealed);
      if (part === null) others.push(imageNo);
      else ranked.push({ id: imageNo, part });
    }
    const answer = await this.#images.shortlist(examination, ranked);
    if (answer.outcome === "busy") return notYet(answer.retryAfterSeconds);
    return [...answer.ids, ...others];
  }

  async #open(
    imageNos: readonly number[],
    packets: ReadonlyMap<number, Buffer>,
  ): Promise<{ opened: PacketCandidate[]; closed: number[] }> {
    const [opened, closed]: [PacketCandidate[], number[]] = [[], []];
    for (const [at, imageNo] of imageNos.entries()) {
      await breathe(at);
      const sealed = packets.get(imageNo);
      if (sealed === undefined) continue;
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

/** How an original of the same pixels relates to an image. */
function relationTo({ imageHash }: Pixels, original: LiveOriginal): Relation {
  return original.imageHash.equals(imageHash) ? "identical" : "samePixels";
}

/** An original of the same bytes or pixels. */
function whole({ imageNo, originalImageHash }: LiveOriginal, relation: Relation): MatchedOriginal {
  return { imageNo, originalImageHash, relation, size: null, place: WHOLE, shown: [UNIT_SQUARE] };
}

function derivedFrom(original: LiveOriginal, { raster, place, shown }: Located): MatchedOriginal {
  const { imageNo, originalImageHash } = original;
  const size = sizeOf(original) ?? raster;
  return { imageNo, originalImageHash, relation: "derived", size, place, shown };
}

function rankOf({ relation }: MatchedOriginal): number {
  return relation === "identical" ? 0 : 1;
}

/** Each original once, as it stands first; those of the same bytes before all. */
function merged(...lists: readonly (readonly MatchedOriginal[])[]): readonly MatchedOriginal[] {
  const byNumber = new Map<number, MatchedOriginal>();
  for (const match of lists.flat()) if (!byNumber.has(match.imageNo)) byNumber.set(match.imageNo, match);
  return [...byNumber.values()].toSorted((a, b) => rankOf(a) - rankOf(b));
}

function checked(matches: readonly MatchedOriginal[], size: Size | null): Checked {
  return { outcome: "checked", matches, size };
}

function sizeOf({ width, height }: Pick<LiveOriginal, "width" | "height">): Size | null {
  return width === null || height === null ? null : { width, height };
}

function verdictOf(answer: Checked | Declined | NotYet): VerdictOutcome {
  if (answer.outcome !== "checked") return answer.outcome;
  return answer.matches.length > 0 ? "matched" : "notMatched";
}

/** The place of an original in a picture that it is. */
const WHOLE: Place = {
  map: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
  lens: null,
  isInverted: false,
  isWhole: true,
};
const NONE: ReadonlySet<number> = new Set();
const NO_WORDS = new Int32Array(0);
/** Originals that share most words with one that a picture copies, and that may show something of it. */
const NEAREST = 48;
/** What is unsealed in one turn of the event loop, about a millisecond. */
const UNSEALED_AT_ONCE = 20;
/** Originals that one line of the log names at most. */
const MOST_REPORTED = 10;

/** Lets others be answered, now and then while much is unsealed. */
async function breathe(unsealed: number): Promise<void> {
  if (unsealed % UNSEALED_AT_ONCE === UNSEALED_AT_ONCE - 1) await setImmediate();
}

function notYet(retryAfterSeconds: number): NotYet {
  return { outcome: "notYet", retryAfterSeconds };
}
