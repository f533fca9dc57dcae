/**
 * Fills a service's log with entries that no picture is behind, which its sequencer enters and signs as any others, and
 * has `colophon log audit` walk it over HTTP; then asks for tiles and bundles. One entry in ten is a take-down. Linux.
 *
 *     node trials/log-size.ts [--entries 100000] [--seed 1]
 */
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openCheckpoint, parseVkey, TILE_WIDTH, tilePath, type TileName } from "@colophon/log";
import { seededRandom } from "@colophon/testing/pictures.ts";
import { processorMs } from "@colophon/testing/process/processor-time.ts";
import {
  embeddedDatabase,
  postmasterPid,
  serviceEnvironment,
  ServiceProcess,
} from "@colophon/testing/service-process.ts";
import { Client } from "pg";

const COLOPHON = fileURLToPath(new URL("../packages/cli/bin/colophon.js", import.meta.url));
/** One entry in so many is a take-down, of one of those just before it. */
const TAKE_DOWN_EVERY = 10;
/** Full tiles, and as many bundles, that are asked for one after the other. */
const TILES_ASKED = 200;
const IMMUTABLE = "public, max-age=31536000, immutable";

/** What a run measured; `breaches` must be empty. Processor time is in seconds, or in milliseconds each. */
export interface LogSizeReport {
  readonly entries: number;
  /** Entering and signing: service and database together. */
  readonly fill: { readonly seconds: number; readonly processor: number; readonly storedBytesEach: number };
  /** From the first entry, and again from its state. */
  readonly audit: readonly {
    readonly seconds: number;
    readonly auditor: number;
    readonly serving: number;
  }[];
  /** By kind: the bytes of a full one, and what one answer takes. */
  readonly tiles: Readonly<
    Record<"hashes" | "entries", { bytes: number; medianMs: number; p99Ms: number; processorMs: number }>
  >;
  readonly breaches: readonly string[];
}

/** Runs one service with a log of so many entries. */
export async function runLogSize(options: {
  readonly entries: number;
  readonly seed: number;
}): Promise<LogSizeReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-log-size-"));
  await using held = new AsyncDisposableStack();
  held.defer(() => rm(dataDir, { recursive: true, force: true }));
  const adminToken = randomBytes(24).toString("base64url");
  const service = held.use(await ServiceProcess.start(serviceEnvironment(dataDir, adminToken)));
  return await new LogSizeRun(service, dataDir, options).run();
}

class LogSizeRun {
  readonly #service: ServiceProcess;
  readonly #dataDir: string;
  readonly #options: { readonly entries: number; readonly seed: number };
  readonly #breaches: string[] = [];

  constructor(service: ServiceProcess, dataDir: string, options: { entries: number; seed: number }) {
    this.#service = service;
    this.#dataDir = dataDir;
    this.#options = options;
  }

  async run(): Promise<LogSizeReport> {
    const vkey = (await (await this.#get("vkey")).text()).trim();
    const fill = await this.#fill(vkey);
    const state = join(this.#dataDir, "audit-state");
    const audit = [await this.#audit(vkey, state), await this.#audit(vkey, state)];
    const tiles = { hashes: await this.#ask(0), entries: await this.#ask("entries") };
    return { entries: this.#options.entries, fill, audit, tiles, breaches: this.#breaches };
  }

  /** Has entries wait, and waits until a checkpoint is over all of them. */
  async #fill(vkey: string): Promise<LogSizeReport["fill"]> {
    const { entries, seed } = this.#options;
    const client = new Client(embeddedDatabase(this.#dataDir));
    await client.connect();
    try {
      const before = await this.#serving();
      const began = performance.now();
      await client.query(
        `insert into log_pending (at, commitment, ends)
        select now(), case when n % $3::bigint > 0 then bytes end,
          case when n % $3::bigint = 0 then n - 1 - get_byte(bytes, 0) % ($3::bigint - 1) end
        from generate_series(1, $1::bigint) as n, lateral (select sha256(int8send($2::bigint) || int8send(n)) as bytes) as drawn`,
        [entries, seed, TAKE_DOWN_EVERY],
      );
      const key = parseVkey(vkey);
      while (openCheckpoint(await (await this.#get("checkpoint")).text(), key).checkpoint.size < entries) {
        await sleep(100);
      }
      const { rows } = await client.query<{ bytes: string }>(
        `select sum(pg_total_relation_size(name::regclass)) as bytes
        from unnest(array['log_bundle', 'log_tile', 'log_entry']) as name`,
      );
      return {
        seconds: (performance.now() - began) / 1000,
        processor: ((await this.#serving()) - before) / 1000,
        storedBytesEach: Math.round(Number(rows[0]?.bytes) / entries),
      };
    } finally {
      await client.end();
    }
  }

  /** One audit by the command. */
  async #audit(vkey: string, state: string): Promise<LogSizeReport["audit"][number]> {
    const [all, serving, began] = [await this.#everything(), await this.#serving(), performance.now()];
    const args = [COLOPHON, "log", "audit", this.#service.baseUrl, "--log-key", vkey, "--state", state];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const seconds = (performance.now() - began) / 1000;
    const served = (await this.#serving()) - serving;
    const { entries } = this.#options;
    const takenDown = Math.floor(entries / TAKE_DOWN_EVERY);
    const counts = `${entries} entries, ${entries - 2 * takenDown} records live, ${takenDown} taken down.`;
    if (!stdout.includes(counts)) this.#breaches.push(`broken: the audit finds ${counts}\n${stdout}`);
    return { seconds, auditor: ((await this.#everything()) - all - served) / 1000, serving: served / 1000 };
  }

  /** Asks for full tiles of hashes, or bundles, drawn by the seed; each a second time, when it must be the same. */
  async #ask(level: TileName["level"]): Promise<LogSizeReport["tiles"]["hashes"]> {
    const { entries, seed } = this.#options;
    const random = seededRandom(seed);
    const full = Math.floor(entries / TILE_WIDTH);
    const paths = Array.from({ length: TILES_ASKED }, () =>
      tilePath({ level, index: Math.floor(random() * full), width: TILE_WIDTH }),
    );
    const before = await this.#serving();
    const seen = new Map<string, Buffer>();
    const taken: number[] = [];
    for (const path of [...paths, ...paths]) {
      const began = performance.now();
      const answer = await this.#get(path);
      const bytes = Buffer.from(await answer.arrayBuffer());
      taken.push(performance.now() - began);
      if (answer.status !== 200 || answer.headers.get("cache-control") !== IMMUTABLE) {
        this.#breaches.push(`broken: ${path} is there for good (status ${answer.status})`);
      }
      if (seen.get(path)?.equals(bytes) === false) this.#breaches.push(`broken: ${path} stays the same`);
      seen.set(path, bytes);
    }
    const sorted = taken.toSorted((a, b) => a - b);
    const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
    const bytes = Math.max(...Array.from(seen.values(), ({ length }) => length));
    const processor = ((await this.#serving()) - before) / taken.length;
    return { bytes, medianMs: at(0.5), p99Ms: at(0.99), processorMs: processor };
  }

  #get(path: string): Promise<Response> {
    return fetch(`${this.#service.baseUrl}/log/${path}`);
  }

  #serving(): Promise<number> {
    return processorMs(this.#service.pid, postmasterPid(this.#dataDir));
  }

  /** With this process, and the commands that it has run. */
  #everything(): Promise<number> {
    return processorMs(process.pid, postmasterPid(this.#dataDir));
  }
}

if (import.meta.main) {
  const { values } = readCommandLine({
    options: { entries: { type: "string", default: "100000" }, seed: { type: "string", default: "1" } },
  });
  const options = { entries: Number(values.entries), seed: Number(values.seed) };
  const report = await runLogSize(options);
  process.stdout.write(`${JSON.stringify({ ...options, ...report }, undefined, 2)}\n`);
  if (report.breaches.length > 0) process.exitCode = 1;
}
