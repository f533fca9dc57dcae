import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parentPort } from "node:worker_threads";
import { type CredentialsToJudge, judgeStore } from "@colophon/credentials";
import * as library from "@contentauth/c2pa-wasm";

/** Judges the stores it is sent, in a thread that `judge.ts` bounds. */
const module = await readFile(fileURLToPath(import.meta.resolve("@contentauth/c2pa-wasm/c2pa.wasm")));
library.initSync({ module });
parentPort?.on("message", (asked: CredentialsToJudge) => {
  void judgeStore(library, asked).then((judgement) => parentPort?.postMessage(judgement, []));
});
