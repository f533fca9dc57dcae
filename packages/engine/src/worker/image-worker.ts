import { parentPort, type Transferable, workerData } from "node:worker_threads";
import { describePicture, type Examiner } from "../examine/describe-picture.ts";
import { readQueryState } from "../examine/query-buffer.ts";
import { matchQuery } from "../matching/match-query.ts";
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
    return job.kind === "describe"
      ? { kind: "described", described: describePicture(job.picture, job.purpose, examiner) }
      : match(job, examiner);
  } catch {
    return { kind: "failed" };
  } finally {
    if (job.kind === "describe") job.picture.luma.data.fill(0);
  }
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
  return message.kind === "matched" ? [message.query] : [];
}

serve(workerData as WorkerSetting);
