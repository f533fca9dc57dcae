import { setTimeout as sleep } from "node:timers/promises";
import { parseRecord } from "@colophon/formats";
import {
  LogAudit,
  type OpenCheckpoint,
  openCheckpoint,
  parseVkey,
  verifyLogProof,
  type VerifierKey,
} from "@colophon/log";

const PATIENCE_MS = 60_000;

/** Reads the log of a service as anybody may, and proofs with an account's token. */
export class LogReader {
  readonly baseUrl: string;
  readonly #token: string;

  constructor(baseUrl: string, token: string) {
    this.baseUrl = baseUrl;
    this.#token = token;
  }

  get(path: string): Promise<Response> {
    return fetch(`${this.baseUrl}/log/${path}`);
  }

  async bytes(path: string): Promise<Uint8Array> {
    const answer = await this.get(path);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  }

  async key(): Promise<VerifierKey> {
    return parseVkey((await (await this.get("vkey")).text()).trimEnd());
  }

  async checkpoint(): Promise<OpenCheckpoint> {
    return openCheckpoint(await (await this.get("checkpoint")).text(), await this.key());
  }

  /** Walks the whole log. @returns how many records it has live and taken down */
  async audit(): Promise<LogAudit["counts"]> {
    const audit = new LogAudit();
    await audit.run((path) => this.bytes(path), { logKey: await this.key() });
    return audit.counts;
  }

  proof(hash: string): Promise<Response> {
    return this.#authorized(`/log/proofs/${hash}`);
  }

  /** The proof of a record, once it is there. */
  async proven(hash: string): Promise<string> {
    for (const end = Date.now() + PATIENCE_MS; ; ) {
      const answer = await this.proof(hash);
      if (answer.status === 200) return answer.text();
      if (answer.status !== 503 || Date.now() > end) {
        throw new Error(`No proof: ${answer.status} ${await answer.text()}`);
      }
      await sleep(50);
    }
  }

  /** The checks of a record's proof that did not pass: of the one it has now, or of an earlier one. */
  async faults(
    hash: string,
    earlier?: { readonly proof: string; readonly logKey: VerifierKey },
  ): Promise<readonly string[]> {
    const { proof, logKey } = earlier ?? { proof: await this.proven(hash), logKey: await this.key() };
    const record = parseRecord(await (await this.#authorized(`/records/${hash}`)).text());
    const checks = verifyLogProof(record, proof, { logKey });
    return checks.filter(({ result }) => result !== "passed").map(({ name }) => name);
  }

  #authorized(path: string): Promise<Response> {
    return fetch(this.baseUrl + path, { headers: { authorization: `Bearer ${this.#token}` } });
  }
}
