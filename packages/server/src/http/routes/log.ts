import { refuse } from "@colophon/contract";
import { toUtf8 } from "@colophon/formats";
import { parseTilePath, writeVkey } from "@colophon/log";
import { originLine } from "../../transparency/origin.ts";
import { readProof } from "../../registry/log/read-proof.ts";
import type { Services } from "../../registry/services.ts";
import type { Answer } from "../answers/answer.ts";
import { declaredHash } from "../body/declared-hashes.ts";
import { type AccountHandlers, type OpenHandlers, param } from "../call.ts";

/** Seconds after which a proof or a log that is not ready is asked for again: the sequencer takes less. */
const RETRY_SECONDS = 1;
const TIMESTAMP = /^([1-9]\d{0,15})\.tsr$/;

/** `GET /log/checkpoint`, `/log/vkey`, `/log/tile/...`, `/log/timestamps/...`. */
export function openLogRoutes({
  publicLog,
  keys,
}: Pick<Services, "publicLog" | "keys">): OpenHandlers<"Log"> {
  return {
    getLogCheckpoint: async () => begun(await publicLog.checkpoint()),
    getLogVkey: async () => {
      const tree = await publicLog.tree();
      return begun(tree && toUtf8(`${writeVkey(keys.log.keyOf(originLine(tree)))}\n`));
    },
    getLogTile: async (call) => {
      const name = parseTilePath(`tile/${param(call, "logLevel")}/${param(call, "*")}`);
      return found(name && (await publicLog.tile(name)));
    },
    getLogTimestamp: async (call) => {
      const [, size] = TIMESTAMP.exec(param(call, "logTimestamp")) ?? [];
      return found(size === undefined ? null : await publicLog.timestamp(Number(size)));
    },
  };
}

/** `GET /log/proofs/{originalImageHash}`. */
export function logProofRoutes({ database }: Pick<Services, "database">): AccountHandlers<"Log"> {
  return {
    getLogProof: async (call) => {
      const hash = declaredHash(param(call, "originalImageHash"));
      const answer = await readProof(database, Buffer.from(hash, "hex"));
      switch (answer.outcome) {
        case "proven":
          return { kind: "bytes", body: toUtf8(answer.proof) };
        case "waiting":
          throw refuse("proofNotReady", { retryAfterSeconds: RETRY_SECONDS });
        case "unknown":
          throw refuse("proofNotFound");
        default:
          return answer satisfies never;
      }
    },
  };
}

/** What every log has from its beginning on, which comes after the first requests to a new deployment. */
function begun(body: Uint8Array | null): Answer {
  if (body === null) throw refuse("serviceUnavailable", { retryAfterSeconds: RETRY_SECONDS });
  return { kind: "bytes", body };
}

function found(body: Uint8Array | null): Answer {
  if (body === null) throw refuse("notFound");
  return { kind: "bytes", body };
}
