import { type CredentialsToJudge, judgeStore } from "@colophon/credentials";
import init, * as library from "@contentauth/c2pa-wasm";
import wasm from "@contentauth/c2pa-wasm/c2pa.wasm?url";

/** Judges the one store that it is sent. The service lets this script alone compile WebAssembly. */
addEventListener("message", ({ data }: MessageEvent<CredentialsToJudge>) => {
  void init({ module_or_path: wasm })
    .then(() => judgeStore(library, data))
    .then((judgement) => postMessage(judgement, {}))
    // Of a promise nobody would hear; this reaches the page.
    .catch(reportError);
});
