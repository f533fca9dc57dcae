/**
 * What an original takes on disk, table by table: registers pictures with a service and its own database, two at a
 * time, and says by how much each table has grown for each of them, with its indexes and long values. Postings are
 * rows, as in all small registries.
 *
 *     node bench/bytes.ts --pictures DIR [--limit 500] [--tree TREE]
 *
 * `--pictures`: a folder of JPEGs. `--tree`: another checkout, whose service is measured instead.
 */
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stdout } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiClient, createAccount } from "@colophon/testing/api-client.ts";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import { embeddedDatabase, serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";
import { Client } from "pg";
import { spread } from "./matching/spread.ts";

const CLIENTS = 2;
const MANY = 1_000_000;
const POLL_MS = 500;
/** Tables that grow by less for each original, bytes, are not listed. */
const LEAST = 10;

interface Size {
  readonly rows: number;
  readonly indexes: number;
  readonly long: number;
}

/** Bytes of every table. */
async function sizes(database: Client): Promise<ReadonlyMap<string, Size>> {
  const { rows } = await database.query<Size & { name: string }>(`
    select relname as name, pg_relation_size(oid)::float as rows, pg_indexes_size(oid)::float as indexes,
      coalesce(pg_total_relation_size(nullif(reltoastrelid, 0)), 0)::float as long
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`);
  return new Map(rows.map(({ name, ...size }) => [name, size]));
}

/** Registers the pictures. @returns how many of them are registered */
async function register(client: ApiClient, files: readonly string[]): Promise<number> {
  const left = files.values();
  let registered = 0;
  const one = async (): Promise<void> => {
    for (const file of left) {
      const { status } = await client.register(new Uint8Array(readFileSync(file)));
      if (status === 200) registered += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, one));
  return registered;
}

/** Waits until all records are in the log. */
async function untilLogged(database: Client): Promise<void> {
  const waiting = async (): Promise<boolean> =>
    (await database.query("select from log_pending limit 1")).rowCount !== 0;
  while (await waiting()) await sleep(POLL_MS);
}

function line(cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => (typeof cell === "number" ? cell.toFixed(0) : cell)).join(" | ")} |\n`;
}

/** A table of bytes an original. */
function grown(
  before: ReadonlyMap<string, Size>,
  after: ReadonlyMap<string, Size>,
  originals: number,
): string {
  const tables = [...after].map(([name, size]) => {
    const of = (part: keyof Size): number => (size[part] - (before.get(name)?.[part] ?? 0)) / originals;
    const [rows, indexes, long] = [of("rows"), of("indexes"), of("long")];
    return { name, rows, indexes, long, all: rows + indexes + long };
  });
  return [
    line([`bytes an original, ${originals}`, "rows", "indexes", "long values", "all"]),
    "|---|---|---|---|---|\n",
    ...tables
      .filter(({ all }) => all >= LEAST)
      .toSorted((a, b) => b.all - a.all)
      .map(({ name, rows, indexes, long, all }) => line([name, rows, indexes, long, all])),
    line(["all", "", "", "", tables.reduce((sum, { all }) => sum + all, 0)]),
  ].join("");
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      pictures: { type: "string" },
      limit: { type: "string", default: "500" },
      tree: { type: "string" },
    },
  });
  const { pictures, tree } = values;
  if (pictures === undefined) refuseCommandLine("--pictures DIR is required");
  const files = readdirSync(pictures).filter((name) => name.endsWith(".jpg"));
  const chosen = spread(files.toSorted(), Number(values.limit)).map((name) => join(pictures, name));
  await using held = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-bytes-"));
  held.defer(() => rm(dataDir, { recursive: true, force: true }));
  const adminToken = randomBytes(24).toString("base64url");
  const program = tree === undefined ? undefined : join(tree, "packages/server/src/main.ts");
  const service = held.use(await ServiceProcess.start(serviceEnvironment(dataDir, adminToken), program));
  const grants = { registrations: MANY, lookups: MANY };
  const { token } = await createAccount(service.baseUrl, adminToken, grants);
  const database = new Client(embeddedDatabase(dataDir));
  await database.connect();
  held.defer(() => database.end());
  const before = await sizes(database);
  const originals = await register(new ApiClient(service.baseUrl, token), chosen);
  await untilLogged(database);
  stdout.write(grown(before, await sizes(database), originals));
}

await main();
