import { discard } from "../image/discard.ts";
import type { Declined, Decoder } from "../decoder/decoder.ts";
import type { DescribedPicture, Purpose } from "../examine/describe-picture.ts";
import { undecodable } from "../image/coded/header/declined.ts";
import type { Picture } from "../image/coded/read-picture.ts";
import { type Held, HeldExamination, HeldGlance } from "./held-pictures.ts";
import type {
  Apart,
  Copied,
  Examination,
  Glance,
  ImageEngine,
  ImageEngineOptions,
  Matched,
  Shortlisted,
  Stage,
} from "./image-engine.ts";
import {
  type ImageJob,
  type ImageJobAnswer,
  joined,
  type PacketCandidate,
  type RankingCandidate,
} from "./job.ts";
import { FAILED, SOON } from "./no-answer.ts";
import { readImage } from "./read-image.ts";
import { type Busy, type Turn, Turns } from "./turns.ts";
import type { LostJob, WorkerThread } from "./worker-thread.ts";

/** Where one image at a time is worked. */
export interface Place {
  readonly decoder: Decoder;
  readonly worker: WorkerThread<ImageJob, ImageJobAnswer>;
}

/** An engine of the places it is given, which it disposes. Turns decide whose picture is worked where. */
export class PlacedImageEngine implements ImageEngine {
  readonly #places: readonly Place[];
  readonly #turns: Turns;
  readonly #onStage: (stage: Stage, seconds: number) => void;

  constructor(places: readonly Place[], { queueLimit, onStage }: ImageEngineOptions) {
    this.#places = places;
    this.#onStage = onStage ?? (() => {});
    this.#turns = new Turns({ places: places.length, queueLimit });
  }

  get isAlive(): boolean {
    return this.#places.some(({ decoder, worker }) => decoder.isServing && worker.isAlive);
  }

  get queueLength(): number {
    return this.#turns.waiting;
  }

  examine(
    image: readonly Uint8Array[],
    purpose: Purpose,
    share: string,
  ): Promise<Examination | Declined | Busy> {
    return this.#decoded(image, share, async (picture, { worker }) => {
      const described = await this.#describe({ picture, terms: null, purpose }, worker);
      return "outcome" in described ? described : new HeldExamination(picture, described, share);
    });
  }

  glance(image: readonly Uint8Array[], share: string): Promise<Glance | Declined | Busy> {
    return this.#decoded(image, share, async (picture, { worker }) => {
      const job = { kind: "glance", luma: picture.luma } as const;
      const answer = await answerOf(worker, "glanced", job, [picture.luma.data.buffer as ArrayBuffer]);
      if ("outcome" in answer) {
        // Empty where it has moved to the worker; a worker that was gone has taken nothing.
        discard(picture.luma.data);
        return lossOf(answer);
      }
      return new HeldGlance({ ...picture, luma: answer.luma }, answer, share);
    });
  }

  async matchCopy(glance: Glance, original: PacketCandidate): Promise<Copied | Busy> {
    const own = HeldGlance.of(glance);
    return await this.#withContent(own, async (picture, { worker }) => {
      const job = { kind: "copy", luma: picture.luma, original } as const;
      const work = answerOf(worker, "copied", job, [picture.luma.data.buffer as ArrayBuffer]);
      const answer = await this.#timed("compare", work);
      if ("outcome" in answer) {
        discard(picture.luma.data);
        return SOON;
      }
      own.content.putBack({ ...picture, luma: answer.luma });
      return { outcome: "compared", match: answer.match };
    });
  }

  async standsApart(
    glance: Glance,
    original: PacketCandidate,
    others: readonly PacketCandidate[],
  ): Promise<Apart | Busy> {
    if (others.length === 0) return { outcome: "compared", isApart: true };
    const turn = await this.#turnOf(HeldGlance.of(glance).share);
    if (turn.outcome === "busy") return turn;
    using held = turn;
    const { worker } = this.#places[held.place]!;
    const job = { kind: "apart", original, others } as const;
    const answer = await this.#timed("place", answerOf(worker, "apart", job, []));
    return "outcome" in answer ? SOON : { outcome: "compared", isApart: answer.isApart };
  }

  async examineGlanced(glance: Glance): Promise<Examination | Declined | Busy> {
    const own = HeldGlance.of(glance);
    return await this.#withContent(own, async (picture, { worker }) => {
      const described = await this.#describe({ picture, terms: own.terms, purpose: "lookup" }, worker);
      return "outcome" in described ? described : new HeldExamination(picture, described, own.share);
    });
  }

  async shortlist(
    examination: Examination,
    candidates: readonly RankingCandidate[],
  ): Promise<Shortlisted | Busy> {
    const parts = joined(candidates.map(({ id, part }) => [id, part]));
    const answer = await this.#ask(examination, "shortlisted", (query) => ({
      job: { kind: "shortlist", query, parts },
      transferred: [query, parts.bytes.buffer],
    }));
    if ("outcome" in answer) return answer;
    this.#onStage("place", answer.seconds);
    return { outcome: "shortlisted", ids: answer.ids };
  }

  async match(examination: Examination, candidates: readonly PacketCandidate[]): Promise<Matched | Busy> {
    if (candidates.length === 0) {
      const { content } = HeldExamination.of(examination);
      content.putBack(content.take());
      return { outcome: "matched", matches: [], unreadable: [] };
    }
    const packets = joined(candidates.map(({ id, packet }) => [id, packet]));
    const answer = await this.#ask(examination, "matched", (query) => ({
      job: { kind: "match", query, packets },
      transferred: [query, packets.bytes.buffer],
    }));
    if ("outcome" in answer) return answer;
    const { matches, unreadable, seconds } = answer;
    this.#onStage("place", seconds.place);
    this.#onStage("compare", seconds.compare);
    return { outcome: "matched", matches, unreadable };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#turns.close();
    await Promise.all(
      this.#places.flatMap(({ decoder, worker }) => [
        decoder[Symbol.asyncDispose](),
        worker[Symbol.asyncDispose](),
      ]),
    );
  }

  /** Has a worker do a job on the query of a picture. */
  #ask<Kind extends "matched" | "shortlisted">(
    examination: Examination,
    kind: Kind,
    jobOn: (query: ArrayBuffer) => { readonly job: ImageJob; readonly transferred: readonly ArrayBuffer[] },
  ): Promise<AnswerOf<Kind> | Busy> {
    const own = HeldExamination.of(examination);
    return this.#withContent(own, async (query, { worker }) => {
      const { job, transferred } = jobOn(query);
      const answer = await answerOf(worker, kind, job, transferred);
      if ("outcome" in answer) return SOON;
      own.content.putBack(answer.query);
      return answer;
    });
  }

  /** Goes on with what was found of a picture, at any place; while there is none it stays held. */
  async #withContent<Content, Answer>(
    { content, share }: { readonly content: Held<Content>; readonly share: string },
    work: (content: Content, place: Place) => Promise<Answer>,
  ): Promise<Answer | Busy> {
    const taken = content.take();
    const turn = await this.#turnOf(share);
    if (turn.outcome === "busy") {
      content.putBack(taken);
      return turn;
    }
    using held = turn;
    return await work(taken, this.#places[held.place]!);
  }

  /** A turn of a share's work that has begun. */
  #turnOf(share: string): Promise<Turn | Busy> {
    return this.#turns.take({ share, urgent: true, large: false });
  }

  /** Decodes an image and goes on with it at the same place. */
  async #decoded<Answer>(
    image: readonly Uint8Array[],
    share: string,
    goOn: (picture: Picture, place: Place) => Promise<Answer>,
  ): Promise<Answer | Declined | Busy> {
    if (image.every((part) => part.length === 0)) {
      const { name, message } = undecodable();
      return { outcome: "declined", name, message };
    }
    for (let large = false; ; large = true) {
      const turn = await this.#turns.take({ share, urgent: large, large });
      if (turn.outcome === "busy") return turn;
      using held = turn;
      const place = this.#places[held.place]!;
      const picture = await this.#timed("decode", readImage(place.decoder, image, large));
      // It waits once more, for a place among large ones.
      if (picture === "large") continue;
      return "outcome" in picture ? picture : await goOn(picture, place);
    }
  }

  /** Describes a picture, which is used up. */
  async #describe(
    asked: Omit<ImageJob & { readonly kind: "describe" }, "kind">,
    worker: Place["worker"],
  ): Promise<DescribedPicture | Declined | Busy> {
    const job = { kind: "describe", ...asked } as const;
    const { picture } = asked;
    const moved = [picture.luma.data.buffer as ArrayBuffer];
    const answer = await this.#timed("extract", answerOf(worker, "described", job, moved));
    discard(picture.luma.data);
    return "outcome" in answer ? lossOf(answer) : answer.described;
  }

  async #timed<T>(stage: Stage, work: Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await work;
    } finally {
      this.#onStage(stage, (performance.now() - began) / 1000);
    }
  }
}

type AnswerOf<Kind extends ImageJobAnswer["kind"]> = ImageJobAnswer & { readonly kind: Kind };

/**
 * What a lost worker says of the image it examined. The work on one is bounded, so a clock that ran out tells of a
 * machine that others kept busy, and not of the image.
 */
function lossOf({ slow }: LostJob): Declined | Busy {
  return slow ? SOON : FAILED;
}

/** What a worker answers to a job. One that failed at it is as good as gone. */
async function answerOf<Kind extends ImageJobAnswer["kind"]>(
  worker: Place["worker"],
  kind: Kind,
  job: ImageJob,
  transferred: readonly ArrayBuffer[],
): Promise<AnswerOf<Kind> | LostJob> {
  const result = await worker.run(job, transferred);
  if (result.outcome === "lost") return result;
  if (result.answer.kind !== kind) return { outcome: "lost", slow: false };
  return result.answer as AnswerOf<Kind>;
}
