import {
  type Examination,
  type Glance,
  type ImageEngine,
  MAX_SHORTLISTED,
  type PacketCandidate,
  type RankingCandidate,
} from "@colophon/engine";
import type { Logger } from "pino";
import type { Metrics } from "../metrics/metrics.ts";
import type { Database } from "../store/database.ts";
import {
  type IndexedCandidate,
  packetsNear,
  retrieveCandidates,
  retrieveCopied,
} from "../store/index/match-index.ts";
import { liveOriginalsLike } from "../store/originals/originals.ts";
import { breathe, type PacketSeal } from "../keys/packet-seal.ts";
import { sealedPackets } from "../store/originals/sealed-packets.ts";
import {
  checked,
  derivedFrom,
  type Located,
  merged,
  notYet,
  relationTo,
  sizeOf,
  whole,
} from "./matched-originals.ts";
import type { Checked, Declined, NotYet, Pixels } from "./port.ts";

/** Originals that share most words with one that a picture copies, and that may show something of it. */
const NEAREST = 48;
/** Originals that one line of the log names at most. */
const MOST_REPORTED = 10;

/** What a search needs: the engine's places, the index, the key of the packets, and where it reports. */
export interface SearchParts {
  readonly images: ImageEngine;
  readonly database: Database;
  readonly packets: PacketSeal;
  readonly log: Pick<Logger, "warn">;
  readonly metrics: Pick<Metrics, "stage">;
}

/** Finds the originals that a picture shows. */
export class PictureSearch {
  readonly #images: ImageEngine;
  readonly #database: Database;
  readonly #packets: PacketSeal;
  readonly #log: Pick<Logger, "warn">;
  readonly #metrics: Pick<Metrics, "stage">;

  constructor({ images, database, packets, log, metrics }: SearchParts) {
    this.#images = images;
    this.#database = database;
    this.#packets = packets;
    this.#log = log;
    this.#metrics = metrics;
  }

  /** What a picture shows: at a glance where it is a plain copy, else by its points. */
  async lookInto(image: Pixels, accountId: string): Promise<Checked | Declined | NotYet> {
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
    return await this.compare(image, examination, NONE);
  }

  /**
   * What an examined picture shows: what shares enough features is compared in full.
   * @param apartFrom originals that are passed over
   */
  async compare(
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

  /** The one original that a picture is a plain copy of, when no other original may be named beside it; else null. */
  async #copied(glance: Glance): Promise<Located | null | NotYet> {
    const found = await retrieveCopied(this.#database, glance.wholeKeys);
    const packet = found && (await this.#packets.open(found.sealed));
    if (found === null || packet === null) return null;
    const original = { id: found.imageNo, packet };
    const compared = await this.#images.matchCopy(glance, original);
    if (compared.outcome === "busy") return notYet(compared.retryAfterSeconds);
    if (compared.match === null) return null;
    const near = await packetsNear(this.#database, found, NEAREST);
    const { opened, closed } = await this.#open([...near.keys()], near);
    if (closed.length > 0) return null;
    const apart = await this.#images.standsApart(glance, original, opened);
    if (apart.outcome === "busy") return notYet(apart.retryAfterSeconds);
    return apart.isApart ? compared.match : null;
  }

  /** The originals of the same bytes or pixels and those that were matched, in that order. */
  async #named(
    image: Pixels,
    picture: Pick<Examination, "pixelHash" | "width" | "height">,
    found: readonly Located[],
    apartFrom: ReadonlySet<number>,
  ): Promise<Checked> {
    const { imageHash } = image;
    const { pixelHash } = picture;
    const shown = found.map(({ id }) => id);
    const live = await liveOriginalsLike(this.#database, { imageHash, pixelHash, shown });
    const same = live.filter(
      (original) =>
        (original.imageHash.equals(imageHash) || original.pixelHash.equals(pixelHash)) &&
        !apartFrom.has(original.imageNo),
    );
    const byNumber = new Map(live.map((original) => [original.imageNo, original]));
    const derived = found.flatMap((match) => {
      const original = byNumber.get(match.id);
      return original === undefined ? [] : [derivedFrom(original, match)];
    });
    const matches = merged(
      same.map((original) => whole(original, relationTo(image, original))),
      derived,
    );
    return checked(matches, sizeOf(picture));
  }

  /**
   * Numbers of the candidates whose packets are to be compared: of many, those that stand out by their ranking parts or
   * have none.
   */
  async #worthReading(
    examination: Examination,
    candidates: readonly IndexedCandidate[],
  ): Promise<readonly number[] | NotYet> {
    if (candidates.length <= MAX_SHORTLISTED) return candidates.map(({ imageNo }) => imageNo);
    const ranked: RankingCandidate[] = [];
    const others: number[] = [];
    for (const [at, { imageNo, part: sealed }] of candidates.entries()) {
      await breathe(at);
      const part = sealed === null ? null : await this.#packets.openRankingPart(sealed);
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
      const packet = await this.#packets.open(sealed);
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
}

const NONE: ReadonlySet<number> = new Set();
