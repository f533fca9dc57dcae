import { discard } from "../image/discard.ts";
import { parentPort, type Transferable, workerData } from "node:worker_threads";
import { describePicture, type Examiner } from "../examine/describe-picture.ts";
import { readQueryState } from "../examine/query-buffer.ts";
import { type Match, matchQuery } from "../matching/match-query.ts";
import { matchPlainCopy, standsApart } from "../matching/plain-copy.ts";
import { type PartCandidate, shortlist } from "../matching/shortlist.ts";
import { RankingPart } from "../packet/ranking-part.ts";
import { readPacket } from "../packet/read-packet.ts";
import { wholeKeysAsked } from "../signature/whole-keys.ts";
import { cosineTerms } from "../signature/whole-signature.ts";
import { openVocabulary } from "../words/vocabulary.ts";
import { type ImageJob, type ImageJobAnswer, pieces, type WorkerSetting } from "./job.ts";

/** The thread's entry: answers each job with one message. */
function serve({ vocabulary, packetKey }: WorkerSetting): void {
  const examiner = { vocabulary: openVocabulary(vocabulary), packetKey };
  parentPort?.on("message", (job: ImageJob) => {
    const message = answer(job, examiner);
    parentPort?.postMessage(message, moving(message));
  });
}

function answerTo(job: ImageJob, examiner: Examiner): ImageJobAnswer {
  if (job.kind === "glance") {
    const { luma } = job;
    const terms = cosineTerms(luma);
    return { kind: "glanced", wholeKeys: wholeKeysAsked(terms, examiner.packetKey), terms, luma };
  }
  if (job.kind === "copy") return { kind: "copied", match: matchCopy(job, examiner), luma: job.luma };
  if (job.kind === "shortlist") return shorten(job);
  if (job.kind === "apart") return { kind: "apart", isApart: isApart(job) };
  return job.kind === "describe" ? describe(job, examiner) : match(job, examiner);
}

function describe(
  { picture, terms, purpose }: ImageJob & { kind: "describe" },
  examiner: Examiner,
): ImageJobAnswer {
  const whole = terms ?? cosineTerms(picture.luma);
  return { kind: "described", described: describePicture(picture, whole, purpose, examiner) };
}

/** Errors end here: nothing of one goes on, for it may quote the image. */
function answer(job: ImageJob, examiner: Examiner): ImageJobAnswer {
  try {
    return answerTo(job, examiner);
  } catch {
    if ("luma" in job) discard(job.luma.data);
    return { kind: "failed" };
  } finally {
    if (job.kind === "describe") discard(job.picture.luma.data);
  }
}

/** The shortlist, and with it all whose part this version does not read: their packets decide. */
function shorten({ query, parts }: ImageJob & { kind: "shortlist" }): ImageJobAnswer {
  const began = performance.now();
  const readable: PartCandidate[] = [];
  const others: number[] = [];
  for (const [id, bytes] of pieces(parts)) {
    const part = RankingPart.read(bytes);
    if (part === null) others.push(id);
    else readable.push({ id, part });
  }
  const ids = [...shortlist(readQueryState(query), readable), ...others];
  return { kind: "shortlisted", ids, query, seconds: (performance.now() - began) / 1000 };
}

/**
 * The match of a picture that is a plain copy; null for a packet that cannot be read, too, which the full comparison
 * names.
 */
function matchCopy(
  { luma, original: { id, packet } }: ImageJob & { kind: "copy" },
  { packetKey }: Examiner,
): Match | null {
  const original = readPacket(packet);
  return original && matchPlainCopy(luma, { id, original }, packetKey);
}

/** Not where a packet cannot be read: the full comparison names it. */
function isApart({ original, others }: ImageJob & { kind: "apart" }): boolean {
  const [own, ...rest] = [original, ...others].map(({ packet }) => readPacket(packet));
  const readable = rest.filter((other) => other !== null);
  return own !== null && own !== undefined && readable.length === rest.length && standsApart(own, readable);
}

function match({ query, packets }: ImageJob & { kind: "match" }, { packetKey }: Examiner): ImageJobAnswer {
  const read = Array.from(pieces(packets), ([id, packet]) => ({ id, original: readPacket(packet) }));
  const seconds = { place: 0, compare: 0 };
  const readable = read.flatMap(({ id, original }) => (original === null ? [] : [{ id, original }]));
  return {
    kind: "matched",
    matches: matchQuery(readQueryState(query), readable, packetKey, seconds),
    unreadable: read.filter(({ original }) => original === null).map(({ id }) => id),
    query,
    seconds,
  };
}

function moving(message: ImageJobAnswer): readonly Transferable[] {
  if (message.kind === "described") return [message.described.query];
  if (message.kind === "glanced") return [message.luma.data.buffer, message.terms.buffer] as ArrayBuffer[];
  if ("query" in message) return [message.query];
  return "luma" in message ? [message.luma.data.buffer as ArrayBuffer] : [];
}

serve(workerData as WorkerSetting);
