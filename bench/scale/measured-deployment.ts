import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LookupVerdict } from "@colophon/contract";
import { MAX_SHORTLISTED } from "@colophon/engine";
import { sql } from "kysely";
import { type Database, openDatabase } from "../../packages/server/src/store/database.ts";
import { lightWords } from "./light-words.ts";
import { searchHeavyWords } from "../../packages/server/src/store/index/heavy-words.ts";
import { retrieveCandidates } from "../../packages/server/src/store/index/match-index.ts";
import { postingsOf } from "../../packages/server/src/store/index/postings.ts";
import { sealedPackets } from "../../packages/server/src/store/originals/sealed-packets.ts";
import { ApiClient, createAccount } from "@colophon/testing/api-client.ts";
import { processorMs } from "@colophon/testing/process/processor-time.ts";
import { postmasterPid, serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";
import { familyMemory, processMemory } from "./process-memory.ts";
import type { Workspace } from "./workspace.ts";

const MANY = 1_000_000;
const NOBODY: ReadonlySet<number> = new Set();
/** Tables that grow with the originals, with their indexes and long values, but for what only a registration writes. */
const TABLES = [
  "original",
  "registration",
  "feature",
  "ranking_part",
  "recent_posting",
  "posting_list",
] as const;
/** What a look-up reads of every original, beside the few whose packets it compares. */
const READ = [
  "posting_list_by_word",
  "posting_list",
  "recent_posting_by_word",
  "recent_posting",
  "ranking_part",
  "ranking_part_pkey",
] as const;
/** What a registration writes beside it: which rows, and of which each registration has one. */
const WRITTEN = {
  record: ["record", "record"],
  manifest: ["manifest", "record"],
  custody_row: [
    "custody_row where subject in ('registrationImage', 'packet')",
    "usage_row where kind = 'registration'",
  ],
  usage_row: ["usage_row where kind = 'registration'", "usage_row where kind = 'registration'"],
} as const;

/**
 * Wall and processor time of one request, milliseconds; processor time is that of the service and the database
 * together.
 */
export interface Timed<Answer> {
  readonly answer: Answer;
  readonly wall: number;
  readonly processor: number;
}

/** What one retrieval did. */
export interface Retrieval {
  /** From the keys to the ranking parts of the candidates, milliseconds. */
  readonly milliseconds: number;
  readonly keys: number;
  readonly candidates: number;
  /** Postings of the words, but for heavy ones. The statement reads no more of those in lists than its bound. */
  readonly touched: number;
  /** Those of heavy words as well. */
  readonly unguarded: number;
  /** Pages of the database that the statement touches. */
  readonly pages: number;
  /** Bytes of ranking parts that it brings, and of as many packets as are compared at most. */
  readonly bytes: number;
}

/** The real service on one filled database, and that database. Disposing it takes down what was registered. */
export class MeasuredDeployment implements AsyncDisposable {
  readonly originals: number;
  readonly #client: ApiClient;
  readonly #database: Database;
  readonly #service: ServiceProcess;
  readonly #postmaster: number;
  readonly #held: AsyncDisposableStack;
  readonly #registered: string[] = [];

  private constructor(
    originals: number,
    client: ApiClient,
    database: Database,
    service: ServiceProcess,
    postmaster: number,
    held: AsyncDisposableStack,
  ) {
    this.originals = originals;
    this.#client = client;
    this.#database = database;
    this.#service = service;
    this.#postmaster = postmaster;
    this.#held = held;
  }

  /**
   * Starts a service on the database of this size; it sweeps at its start alone, so that nothing but requests is
   * measured.
   */
  static async start(workspace: Workspace, originals: number): Promise<MeasuredDeployment> {
    await using held = new AsyncDisposableStack();
    const dataDir = await mkdtemp(join(tmpdir(), "colophon-scale-"));
    held.defer(() => rm(dataDir, { recursive: true, force: true }));
    const adminToken = randomBytes(24).toString("base64url");
    const service = held.use(
      await ServiceProcess.start({
        ...serviceEnvironment(dataDir, adminToken),
        COLOPHON_DATABASE_URL: workspace.url(originals),
        COLOPHON_KEY_ENCRYPTION_KEY: workspace.keyEncryptionKey.toString("base64"),
        COLOPHON_SWEEP_SECONDS: "86400",
      }),
    );
    const grants = { registrations: MANY, lookups: MANY };
    const { token } = await createAccount(service.baseUrl, adminToken, grants);
    const database = openDatabase(workspace.database(originals), 1, () => {});
    held.defer(() => database.destroy());
    return new MeasuredDeployment(
      originals,
      new ApiClient(service.baseUrl, token),
      database,
      service,
      postmasterPid(workspace.folder),
      held.move(),
    );
  }

  /**
   * Has the database read into its memory what look-ups read, as far as there is room: one that has been asked for a
   * while has it there.
   */
  async readIntoMemory(): Promise<void> {
    await sql`create extension if not exists pg_prewarm`.execute(this.#database);
    for (const relation of READ) await sql`select pg_prewarm(${relation}::regclass)`.execute(this.#database);
  }

  /** Searches so many stretches of the originals for heavy words, as the sweep would. */
  async searchHeavyWords(stretches: number): Promise<void> {
    for (let n = 0; n < stretches; n += 1) await searchHeavyWords(this.#database);
  }

  /** Registers a picture. @throws Error when it is not registered */
  register(picture: Uint8Array): Promise<Timed<string>> {
    return this.#timed(async () => {
      const reply = await this.#client.register(picture);
      if (reply.status !== 200) throw new Error(`The registration was answered ${reply.status}.`);
      this.#registered.push(reply.body.id);
      return reply.body.originalImageHash;
    });
  }

  /** Looks a picture up. @throws Error when there is no verdict */
  lookUp(picture: Uint8Array): Promise<Timed<LookupVerdict>> {
    return this.#timed(async () => {
      const reply = await this.#client.lookUp(picture);
      if (reply.status !== 200) throw new Error(`The look-up was answered ${reply.status}.`);
      return reply.body;
    });
  }

  /** Retrieves the candidates of one query by the statements of the service. */
  async retrieve(keys: Int32Array): Promise<Retrieval> {
    const start = performance.now();
    const found = await retrieveCandidates(this.#database, keys, NOBODY);
    const milliseconds = performance.now() - start;
    const words = await lightWords(this.#database, keys);
    const compared = found.slice(0, MAX_SHORTLISTED).map(({ imageNo }) => imageNo);
    const packets = await sealedPackets(this.#database, compared);
    const brought = [...found.map(({ part }) => part), ...packets.values()];
    return {
      milliseconds,
      keys: keys.length,
      candidates: found.length,
      touched: await this.#postings(words),
      unguarded: await this.#postings([...keys]),
      pages: await this.#pages(keys),
      bytes: brought.reduce((sum, sealed) => sum + (sealed?.length ?? 0), 0),
    };
  }

  async #pages(words: Int32Array): Promise<number> {
    const { rows } = await sql<{
      "QUERY PLAN": readonly { readonly Plan: Readonly<Record<string, number>> }[];
    }>`
      explain (analyze, buffers, format json) ${postingsOf(words)}`.execute(this.#database);
    const plan = rows[0]?.["QUERY PLAN"][0]?.Plan;
    return (plan?.["Shared Hit Blocks"] ?? 0) + (plan?.["Shared Read Blocks"] ?? 0);
  }

  async #postings(words: readonly number[]): Promise<number> {
    const { rows } = await sql<{ postings: number }>`select count(*) as postings from posting
      where word = any(${words}::int[])`.execute(this.#database);
    return rows[0]?.postings ?? 0;
  }

  /**
   * Bytes an original by table, indexes and long values included; and those of a registration's record and ledger rows.
   */
  async bytesAnOriginal(): Promise<Readonly<Record<string, number>>> {
    const bytes: Record<string, number> = {};
    for (const table of TABLES) {
      const { rows } = await sql<{ bytes: number }>`select
        pg_total_relation_size(${table}::regclass)::float as bytes`.execute(this.#database);
      bytes[table] = (rows[0]?.bytes ?? 0) / this.originals;
    }
    for (const [table, [rows, each]] of Object.entries(WRITTEN)) {
      const written = await sql<{ bytes: number }>`select
        ((select sum(pg_column_size(${sql.ref(table)}.*)) from ${sql.raw(rows)})
        / nullif((select count(*) from ${sql.raw(each)}), 0))::float as bytes`.execute(this.#database);
      bytes[table] = written.rows[0]?.bytes ?? 0;
    }
    return bytes;
  }

  /** Memory of the service, and of the database server with its processes, MiB (Linux). */
  memory(): { readonly service: number; readonly database: number } {
    return { service: processMemory(this.#service.pid), database: familyMemory(this.#postmaster) };
  }

  async #timed<Answer>(work: () => Promise<Answer>): Promise<Timed<Answer>> {
    const before = await processorMs(this.#service.pid, this.#postmaster);
    const start = performance.now();
    const answer = await work();
    const wall = performance.now() - start;
    return { answer, wall, processor: (await processorMs(this.#service.pid, this.#postmaster)) - before };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const registrationId of this.#registered) await this.#client.takeDown(registrationId);
    await this.#held.disposeAsync();
  }
}
