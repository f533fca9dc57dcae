/**
 * What clients that ask together get, and where it goes: answers a second, processor time of the service's main thread,
 * of its decoders and workers and of the database, statements an answer, and the longest turn of the event loop in
 * processor time, which holds on a busy machine as well. Four look-ups to one registration; numbers of clients take
 * turns.
 *
 *     node bench/throughput.ts [--data DIR] [--clients 1,8,32] [--answers 60] [--rounds 1] [--slot 50] [--seed 1]
 *                              [--statements] [--beside TREE]
 *
 * `--rounds`: so often each number of clients asks, in an order that changes; all its rounds count together. Machines
 * are not equally fast at all times, so that a number of clients is compared to another over several. `--slot`: so many
 * pictures go through one slot as well. `--data`: a folder with `manifest.json`, whose photographs ask; without it
 * painted pictures do. `--statements` lists what the database is asked. `--beside`: another checkout, measured in turns
 * with this one. Linux.
 */
import { randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stdout } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createAccount, untilAnswered } from "@colophon/testing/api-client.ts";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { processorMs } from "@colophon/testing/process/processor-time.ts";
import { postmasterPid, serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";
import { SlotClient } from "@colophon/testing/slot-client.ts";
import { readMatchSet } from "./matching/registered/match-set.ts";
import { spread } from "./matching/spread.ts";
import type { Watched } from "./watched-process.ts";

const WATCH = fileURLToPath(new URL("watched-process.ts", import.meta.url));
const [WIDTH, HEIGHT] = [1_280, 960];
const LOOKUPS = 4;
const ASKING = 12;
const MANY = 1_000_000;

/** What some clients got together. */
interface Result {
  readonly answers: number;
  readonly seconds: number;
  /** Processor milliseconds. */
  readonly all: number;
  readonly database: number;
  readonly watched: Watched;
}

/** A service with its database, watched from within. */
class WatchedService implements AsyncDisposable {
  readonly name: string;
  readonly client: SlotClient;
  readonly #service: ServiceProcess;
  readonly #dataDir: string;

  private constructor(name: string, service: ServiceProcess, dataDir: string, client: SlotClient) {
    this.name = name;
    this.#service = service;
    this.#dataDir = dataDir;
    this.client = client;
  }

  static async start(name: string, tree?: string): Promise<WatchedService> {
    const dataDir = await mkdtemp(join(tmpdir(), "colophon-throughput-"));
    const adminToken = randomBytes(24).toString("base64url");
    const environment = {
      ...serviceEnvironment(dataDir, adminToken),
      // As deployments have it: sweeps do not show.
      COLOPHON_SWEEP_SECONDS: "60",
      NODE_OPTIONS: `--import ${WATCH}`,
      COLOPHON_BENCH_WATCH: join(dataDir, "watched.json"),
    };
    const program = tree === undefined ? undefined : join(tree, "packages/server/src/main.ts");
    const service = await ServiceProcess.start(environment, program);
    const { token } = await createAccount(service.baseUrl, adminToken, {
      registrations: MANY,
      lookups: MANY,
    });
    return new WatchedService(name, service, dataDir, new SlotClient(service.baseUrl, token));
  }

  /** Has clients ask until all pictures given are registered, `LOOKUPS` look-ups to each. */
  async measure(
    clients: number,
    unknown: readonly Uint8Array[],
    fresh: readonly Uint8Array[],
  ): Promise<Result> {
    const answers = (LOOKUPS + 1) * fresh.length;
    let asked = 0;
    const ask = async (): Promise<void> => {
      while (asked < answers) {
        const at = asked;
        asked += 1;
        const registered = at % (LOOKUPS + 1) === 0 ? fresh[at / (LOOKUPS + 1)] : undefined;
        await untilAnswered<unknown>(() =>
          registered === undefined
            ? this.client.lookUp(unknown[at % unknown.length]!)
            : this.client.register(registered),
        );
      }
    };
    return this.#measured(answers, () => Promise.all(Array.from({ length: clients }, ask)));
  }

  /** Uploads pictures into one slot, in one request, and commits it. */
  measureSlot(pictures: readonly Uint8Array[]): Promise<Result> {
    const { client } = this;
    return this.#measured(pictures.length, async () => {
      const { slotId } = (await client.openSlot()).body;
      const images = pictures.map((bytes) => ({ bytes }));
      await client.upload(slotId, images);
      const { status } = await client.commit(slotId);
      if (status !== 200) throw new Error(`The commit was answered ${status}.`);
    });
  }

  async #measured(answers: number, work: () => Promise<unknown>): Promise<Result> {
    await this.#watched();
    const [all, database] = await this.#spent();
    const start = performance.now();
    await work();
    const seconds = (performance.now() - start) / 1_000;
    const watched = await this.#watched();
    const [allThen, databaseThen] = await this.#spent();
    return { answers, seconds, watched, all: allThen - all, database: databaseThen - database };
  }

  async #spent(): Promise<readonly [number, number]> {
    const postmaster = postmasterPid(this.#dataDir);
    return Promise.all([processorMs(this.#service.pid, postmaster), processorMs(postmaster, postmaster)]);
  }

  async #watched(): Promise<Watched> {
    const file = join(this.#dataDir, "watched.json");
    rmSync(file, { force: true });
    process.kill(this.#service.pid, "SIGUSR2");
    for (;;) {
      await sleep(20);
      try {
        return JSON.parse(readFileSync(file, "utf8")) as Watched;
      } catch {
        // Not written yet, or not whole.
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service[Symbol.asyncDispose]();
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}

/** What several rounds came to. */
function together(rounds: readonly Result[]): Result {
  const sum = (of: (result: Result) => number): number =>
    rounds.reduce((total, result) => total + of(result), 0);
  const most = (of: (result: Result) => number): number => Math.max(...rounds.map(of));
  const statements: Record<string, number> = {};
  for (const { watched } of rounds) {
    for (const [text, times] of Object.entries(watched.statements)) {
      statements[text] = (statements[text] ?? 0) + times;
    }
  }
  return {
    answers: sum(({ answers }) => answers),
    seconds: sum(({ seconds }) => seconds),
    all: sum(({ all }) => all),
    database: sum(({ database }) => database),
    watched: {
      mainThreadMs: sum(({ watched }) => watched.mainThreadMs),
      longestTurnMs: most(({ watched }) => watched.longestTurnMs),
      turnP99Ms: most(({ watched }) => watched.turnP99Ms),
      statements,
    },
  };
}

function painted(seed: number, count: number): Promise<Uint8Array[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => paintedPicture(seed + at, WIDTH, HEIGHT)));
}

async function asking(data: string | undefined, seed: number): Promise<readonly Uint8Array[]> {
  if (data === undefined) return painted(seed, ASKING);
  const photographs = readMatchSet(data).originals.filter(({ kind }) => kind.startsWith("photo"));
  return spread(photographs, ASKING).map(({ file }) => new Uint8Array(readFileSync(join(data, file))));
}

function line(cells: readonly (string | number)[]): void {
  stdout.write(`| ${cells.join(" | ")} |\n`);
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      data: { type: "string" },
      clients: { type: "string", default: "1,8,32" },
      answers: { type: "string", default: "60" },
      rounds: { type: "string", default: "1" },
      slot: { type: "string", default: "50" },
      seed: { type: "string", default: "1" },
      statements: { type: "boolean", default: false },
      beside: { type: "string" },
    },
  });
  const seed = Number(values.seed);
  const unknown = await asking(values.data, seed);
  await using held = new AsyncDisposableStack();
  const services = [held.use(await WatchedService.start("this build"))];
  if (values.beside !== undefined) {
    services.push(held.use(await WatchedService.start("beside it", values.beside)));
  }
  // Compiles what is measured, at every place.
  const compiling = await painted(seed + 500, 8);
  for (const service of services) await service.measure(8, unknown, compiling);
  const asked = values.clients.split(",").map(Number);
  const each = Math.ceil(Number(values.answers) / (LOOKUPS + 1));
  const rounds = new Map(
    asked.flatMap((clients) => services.map(({ name }) => [`${name}, ${clients}`, [] as Result[]])),
  );
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const inTurn = <T>(all: readonly T[]): readonly T[] => (round % 2 === 0 ? all : all.toReversed());
    for (const clients of inTurn(asked)) {
      const fresh = await painted(seed + 1_000 * clients + each * round, each);
      for (const service of inTurn(services)) {
        const result = await service.measure(clients, unknown, fresh);
        rounds.get(`${service.name}, ${clients}`)?.push(result);
      }
    }
  }
  const results = Array.from(rounds, ([what, all]) => ({ what, result: together(all) }));
  const inSlot = await painted(seed + 100, Number(values.slot));
  for (const service of inSlot.length === 0 ? [] : services) {
    const result = await service.measureSlot(inSlot);
    results.push({ what: `${service.name}, slot`, result });
  }
  line([
    "build, clients",
    "answers a second",
    "processor, ms",
    "main thread",
    "others",
    "database",
    "statements",
    "longest turn, ms",
    "p99",
  ]);
  line(Array.from({ length: 9 }, () => "---"));
  for (const { what, result } of results) {
    const { answers, all, database, watched } = result;
    const share = (sum: number): string => (sum / answers).toFixed(1);
    const statements = Object.values(watched.statements).reduce((sum, times) => sum + times, 0);
    line([
      what,
      (answers / result.seconds).toFixed(2),
      share(all),
      share(watched.mainThreadMs),
      share(all - database - watched.mainThreadMs),
      share(database),
      share(statements),
      watched.longestTurnMs.toFixed(1),
      watched.turnP99Ms.toFixed(1),
    ]);
  }
  if (!values.statements) return;
  for (const { what, result } of results) {
    stdout.write(`\n${what}: statements an answer\n`);
    const sorted = Object.entries(result.watched.statements).toSorted(([, a], [, b]) => b - a);
    for (const [text, times] of sorted) stdout.write(`${(times / result.answers).toFixed(2)}  ${text}\n`);
  }
}

if (import.meta.main) await main();
