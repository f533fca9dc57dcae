import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";
import { SlotClient } from "@colophon/testing/slot-client.ts";
import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { answersOf, differences } from "../../../trials/support/furnished-registry.ts";
import { OwnPostgres } from "../../../trials/support/own-postgres.ts";
import { type OlderRegistry, restoreOlderRegistry } from "../../../trials/support/restored-older-registry.ts";
import { runFsck } from "../src/fsck/run-fsck.ts";
import { type Database, openDatabase } from "../src/store/database.ts";
import { startEmbeddedPostgres } from "../src/store/embedded/embedded-postgres.ts";
import { migrate } from "../src/store/migrate.ts";

/**
 * Made by `trials/older-registry.ts` with the first build that had slots and sequences: the schema of migrations 0001
 * to 0003.
 */
const OLDEST = new URL("support/oldest-registry.json.gz", import.meta.url);
const SILENT = { info: (): void => {}, warn: (): void => {} };

const home = await mkdtemp(join(tmpdir(), "colophon-upgrade-"));

afterAll(() => rm(home, { recursive: true, force: true }));

/** Starts this build on the registry, asks it everything that the older build was asked, and works with it. */
async function upgrade(
  older: OlderRegistry,
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<{ differences: readonly string[]; entries: readonly string[]; fsck: string }> {
  const environment = { ...serviceEnvironment(dataDir, older.adminToken), ...settings };
  await using service = await ServiceProcess.start(environment);
  const now = await answersOf(service.baseUrl, older.adminToken, older.registry);
  const client = new SlotClient(service.baseUrl, older.registry.account.token);
  const { entries } = (await client.commit(older.registry.openSlot)).body;
  let said = "";
  const checks = { atRest: false, packets: true, signatures: true };
  await runFsck(environment, checks, { write: (text) => (said += text) });
  return {
    differences: differences(older.answers, now),
    entries: entries.map(({ state }) => state),
    fsck: said,
  };
}

const WELL = { differences: [], entries: ["registered"], fsck: "All is consistent.\n" };

/** Every column with its type, every index and every constraint. */
async function schemaOf(database: Database): Promise<unknown> {
  const { rows } = await sql<{ what: string }>`
    select concat_ws(' ', 'column', table_name, column_name, data_type, is_nullable, column_default) as what
      from information_schema.columns where table_schema = 'public'
    union all select 'index ' || indexdef from pg_indexes where schemaname = 'public'
    union all select concat_ws(' ', 'constraint', conrelid::regclass, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace
    order by what`.execute(database);
  return rows.map(({ what }) => what);
}

describe("a registry of the oldest schema", () => {
  it("answers the same in the embedded database, and goes on with what was under way", async () => {
    const dataDir = join(home, "embedded");
    const server = await startEmbeddedPostgres({ dataDir, log: SILENT });
    const older = await restoreOlderRegistry(OLDEST, server.connection);
    await server[Symbol.asyncDispose]();
    await writeFile(join(dataDir, "key-encryption-key"), `${older.keyEncryptionKey}\n`, { mode: 0o600 });
    expect(await upgrade(older, dataDir, {})).toEqual(WELL);
  });

  it("answers the same in a PostgreSQL of one's own, and its schema is a new one's", async () => {
    await using own = await OwnPostgres.start(home);
    const connectionString = await own.emptyDatabase("older");
    const older = await restoreOlderRegistry(OLDEST, { connectionString });
    const key = { COLOPHON_KEY_ENCRYPTION_KEY: older.keyEncryptionKey };
    const settings = { COLOPHON_DATABASE_URL: connectionString, ...key };
    expect(await upgrade(older, join(home, "own"), settings)).toEqual(WELL);
    await using upgraded = openDatabase({ connectionString }, 1, () => {});
    await using fresh = openDatabase({ connectionString: own.url }, 1, () => {});
    expect(await migrate(fresh)).toEqual([]);
    expect(await schemaOf(upgraded)).toEqual(await schemaOf(fresh));
  });
});
