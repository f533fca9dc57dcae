import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { keptFolder } from "./kept-folder.ts";

const run = promisify(execFile);
const STORE = fileURLToPath(new URL("../../packages/server/src/store/", import.meta.url));
/** What decides how a new database looks. */
const SOURCES = [join(STORE, "embedded"), join(STORE, "../../migrations"), join(STORE, "../../package.json")];
const SILENT = { info: (): void => {}, warn: (): void => {} };

/**
 * Gives a data directory (or a path where there is none yet) that has no database the one that a first start would make
 * there: migrated, and empty. It is a copy of one made before, kept for later runs; that takes a tenth of the
 * processor's time. Durability is what it always is.
 */
export async function provideCluster(dataDir: string): Promise<void> {
  const home = join(dataDir, "postgres");
  const isDirectory = statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() ?? true;
  if (!isDirectory || existsSync(home)) return;
  const template = await clusterTemplate();
  await mkdir(dataDir, { recursive: true });
  // Made beside its place and moved there whole: two services may start on one data directory at once.
  const unfinished = await mkdtemp(`${home}-`);
  try {
    await copyCluster(template, join(unfinished, "cluster"));
    await rename(unfinished, home).catch((error: unknown) => {
      if (!existsSync(home)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** The kept cluster for the sources of now, made first if there is none. */
async function clusterTemplate(): Promise<string> {
  const folder = await keptFolder("database", await digest(), async (kept) => {
    const dataDir = await mkdtemp(join(tmpdir(), "colophon-template-"));
    try {
      await makeCluster(dataDir);
      await copyCluster(join(dataDir, "postgres/cluster"), join(kept, "cluster"));
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });
  return join(folder, "cluster");
}

async function makeCluster(dataDir: string): Promise<void> {
  // Loaded here, for the template is seldom made.
  const { startEmbeddedPostgres } = await import(
    "../../packages/server/src/store/embedded/embedded-postgres.ts"
  );
  const { openDatabase } = await import("../../packages/server/src/store/database.ts");
  const { migrate } = await import("../../packages/server/src/store/migrate.ts");
  await using server = await startEmbeddedPostgres({ dataDir, log: SILENT });
  const database = openDatabase(server.connection, 1, () => {});
  await migrate(database);
  await database.destroy();
}

/** With owners and modes, which PostgreSQL insists on. */
async function copyCluster(from: string, to: string): Promise<void> {
  await run("cp", ["-Rp", from, to]);
}

async function digest(): Promise<string> {
  const hash = createHash("sha256").update(String(process.getuid?.()));
  for (const source of SOURCES) {
    const files = source.endsWith(".json")
      ? [source]
      : (await readdir(source)).toSorted().map((name) => join(source, name));
    for (const file of files) hash.update(file).update(await readFile(file));
  }
  return hash.digest("hex").slice(0, 16);
}
