import { isUtf8 } from "node:buffer";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { cosign, type VerifierKey, writeSignatureLine, writeVkey } from "@colophon/log";
import type { LogSigner } from "../keys/log-signer.ts";
import type { WitnessState } from "./witness-state.ts";

/** More than 63 hashes and a checkpoint with a hundred signatures take. */
const MAX_BODY = 65_536;
const MAX_CONNECTIONS = 256;
const PATIENCE_MS = 10_000;
const MONITORED = /^\/([0-9a-f]{64})\/checkpoint$/;
const TEXT = "text/plain; charset=utf-8";

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
  /** The method that the address answers, of a 405. */
  readonly allow?: string;
}

/** Who signs, and for which logs. */
export interface Witness {
  readonly key: VerifierKey;
  readonly signer: LogSigner;
  readonly logs: readonly VerifierKey[];
  readonly state: WitnessState;
}

/**
 * A server of the C2SP witness protocol: `POST /add-checkpoint`, `GET /<origin hash>/checkpoint`; its key is at
 * `/vkey`.
 */
export function witnessServer(witness: Witness): Server {
  const server = createServer(
    { headersTimeout: PATIENCE_MS, requestTimeout: PATIENCE_MS },
    (request, response) => {
      answer(witness, request).then(
        (given) => send(response, given),
        () => send(response, { status: 500, body: "" }),
      );
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

async function answer(witness: Witness, request: IncomingMessage): Promise<Answer> {
  const { method, url = "" } = request;
  const allow = url === "/add-checkpoint" ? "POST" : "GET";
  if (method !== allow) return { status: 405, body: "", allow };
  if (allow === "POST") {
    const body = await textOf(request);
    return typeof body === "number" ? { status: body, body: "" } : addCheckpoint(witness, body);
  }
  if (url === "/vkey") return { status: 200, body: `${writeVkey(witness.key)}\n` };
  const [, name] = MONITORED.exec(url) ?? [];
  const checkpoint = name === undefined ? null : witness.state.checkpoint(name);
  return checkpoint === null ? { status: 404, body: "" } : { status: 200, body: checkpoint };
}

function addCheckpoint({ key, signer, logs, state }: Witness, body: string): Answer {
  const witnessed = state.add(body, logs, ({ text }) =>
    writeSignatureLine(cosign(text, key, new Date(), signer.sign)),
  );
  if (witnessed.status === 200) return { status: 200, body: witnessed.line };
  if (witnessed.status === 409) return { status: 409, body: `${witnessed.size}\n`, type: "text/x.tlog.size" };
  return { status: witnessed.status, body: "" };
}

/** The body as text; the status that refuses it when it is too long, or no UTF-8. */
async function textOf(request: IncomingMessage): Promise<string | 400 | 413> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY) return 413;
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  return isUtf8(body) ? body.toString("utf8") : 400;
}

function send(response: ServerResponse, { status, body, type = TEXT, allow }: Answer): void {
  const more = { ...(status === 413 && { connection: "close" }), ...(allow && { allow }) };
  response
    .writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body), ...more })
    .end(body);
}
