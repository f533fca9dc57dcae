import { parentPort, workerData } from "node:worker_threads";
import { ImageDeclined } from "./decode.ts";
import { type Examiner, examineImage } from "./examine-image.ts";
import type { ImageJob, ImageJobAnswer, WorkerSetting } from "./image-job.ts";
import { matchQuery } from "./matching/match-query.ts";
import { PixelBudget } from "./pixel-budget.ts";
import { readQueryState } from "./query-state.ts";
import { readPacket } from "./read-packet.ts";
import { VectorVocabulary } from "./vector/vector-vocabulary.ts";

/** The thread's entry: answers each job with one message. */
function serve(setting: WorkerSetting): void {
  const budget = new PixelBudget(setting.budget);
  const { acceptedTypes, maxImagePixels, decodeSeconds, packetKey } = setting;
  const examiner: Examiner = {
    decode: { acceptedTypes, maxImagePixels, timeoutSeconds: decodeSeconds },
    vocabulary: new VectorVocabulary(setting.vocabulary),
    packetKey,
    reserve: (pixels) => budget.reserve(setting.place, pixels),
  };
  parentPort?.on("message", (job: ImageJob) => {
    void answer(job, examiner).then((message) => parentPort?.postMessage(message, []));
  });
}

/** Errors end here: of a declined image only its fixed sentence goes on, of any other fault nothing at all. */
async function answer(job: ImageJob, examiner: Examiner): Promise<ImageJobAnswer> {
  try {
    if (job.kind === "examine") {
      return { kind: "examined", image: await examineImage(job.image, job.purpose, examiner) };
    }
    const read = job.candidates.map(({ id, packet }) => ({ id, original: readPacket(packet) }));
    const candidates = read.flatMap(({ id, original }) => (original === null ? [] : [{ id, original }]));
    return {
      kind: "matched",
      ids: matchQuery(readQueryState(job.query), candidates, examiner.packetKey),
      unreadable: read.filter(({ original }) => original === null).map(({ id }) => id),
    };
  } catch (error) {
    if (error instanceof ImageDeclined) return { kind: "declined", name: error.name, message: error.message };
    return { kind: "failed" };
  }
}

serve(workerData as WorkerSetting);
