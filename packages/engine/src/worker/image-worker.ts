import { parentPort, type Transferable, workerData } from "node:worker_threads";
import { describePicture, type Examiner } from "../examine/describe-picture.ts";
import { readQueryState } from "../examine/query-buffer.ts";
import { matchQuery } from "../matching/match-query.ts";
import { type PartCandidate, shortlist } from "../matching/shortlist.ts";
import { RankingPart } from "../packet/ranking-part.ts";
import { readPacket } from "../packet/read-packet.ts";
import { openVocabulary } from "../words/vocabulary.ts";
import type { ImageJob, ImageJobAnswer, WorkerSetting } from "./job.ts";

/** The thread's entry: answers each job with one message. */
function serve({ vocabulary, packetKey }: WorkerSetting): void {
  const examiner = { vocabulary: openVocabulary(vocabulary), packetKey };
  parentPort?.on("message", (job: ImageJob) => {
    const message = answer(job, examiner);
    parentPort?.postMessage(message, moving(message));
  });
}

/** Errors end here: nothing of one goes on, for it may quote the image. */
function answer(job: ImageJob, examiner: Examiner): ImageJobAnswer {
  try {
    if (job.kind === "shortlist") return shorten(job);
    return job.kind === "match"
      ? match(job, examiner)
      : { kind: "described", described: describePicture(job.picture, job.purpose, examiner) };
  } catch {
    return { kind: "failed" };
  } finally {
    if (job.kind === "describe") job.picture.luma.data.fill(0);
  }
}

/** The shortlist, and with it all whose part this version does not read: their packets decide. */
function shorten({ query, parts }: ImageJob & { kind: "shortlist" }): ImageJobAnswer {
  const began = performance.now();
  const readable: PartCandidate[] = [];
  const others: number[] = [];
  for (const [k, id] of parts.ids.entries()) {
    const part = RankingPart.read(parts.bytes.subarray(parts.ends[k - 1] ?? 0, parts.ends[k]));
    if (part === null) others.push(id);
    else readable.push({ id, part });
  }
  const ids = [...shortlist(readQueryState(query), readable), ...others];
  return { kind: "shortlisted", ids, query, seconds: (performance.now() - began) / 1000 };
}

function match({ query, candidates }: ImageJob & { kind: "match" }, { packetKey }: Examiner): ImageJobAnswer {
  const read = candidates.map(({ id, packet }) => ({ id, original: readPacket(packet) }));
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
  return message.kind === "failed" ? [] : [message.query];
}

serve(workerData as WorkerSetting);
