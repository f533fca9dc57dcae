import { stat } from "node:fs/promises";
import { readConfig, readSecrets } from "../config/environment.ts";
import { existingKeyEncryptionKey } from "../config/secret-files.ts";
import { QueryPool } from "../custody/query-pool.ts";
import { packetVault } from "../keys/service-keys.ts";
import { Vault } from "../keys/vault.ts";
import { openDatabase } from "../store/database.ts";
import { startEmbeddedPostgres } from "../store/embedded/embedded-postgres.ts";
import type { Breach } from "./breach.ts";
import { checkConsistency, type ConsistencyOptions } from "./check-consistency.ts";
import { checkPackets } from "./check-packets.ts";
import { checkPool } from "./check-pool.ts";

const CONNECTIONS = 2;

/** What to check of a deployment. */
export interface FsckOptions extends ConsistencyOptions {
  /** Whether to open and read every stored packet as well. */
  readonly packets: boolean;
}

/**
 * Checks the data of a deployment as the environment names it, whether or not its service runs, and prints one line
 * for every breach.
 * @returns the exit code: 0 when all is well, 1 when something is broken or could not be checked
 */
export async function runFsck(
  environment: NodeJS.ProcessEnv,
  options: FsckOptions,
  out: { write(text: string): unknown } = process.stdout,
): Promise<number> {
  try {
    const breaches = await check(environment, options);
    for (const { rule, what } of breaches) out.write(`broken: ${rule} (${what})\n`);
    out.write(breaches.length === 0 ? "All is consistent.\n" : `${breaches.length} breaches.\n`);
    return breaches.length === 0 ? 0 : 1;
  } catch (error) {
    const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n", 1);
    out.write(`The data could not be checked: ${line}\n`);
    return 1;
  }
}

async function check(environment: NodeJS.ProcessEnv, options: FsckOptions): Promise<readonly Breach[]> {
  const { dataDir } = readConfig(environment);
  const { databaseUrl, keyEncryptionKey } = readSecrets(environment);
  if ((await stat(dataDir).catch(() => null)) === null) throw new Error(`There is no ${dataDir}.`);
  await using stack = new AsyncDisposableStack();
  const address =
    databaseUrl === null
      ? stack.use(await startEmbeddedPostgres({ dataDir, log: { info: () => {}, warn: () => {} } }))
          .connection
      : { connectionString: databaseUrl };
  const database = openDatabase(address, CONNECTIONS, () => {});
  stack.defer(() => database.destroy());
  const pool = await QueryPool.open(dataDir);
  const breaches = [...(await checkConsistency(database, options)), ...(await checkPool(database, pool))];
  if (!options.packets) return breaches;
  const vault = new Vault(keyEncryptionKey ?? (await existingKeyEncryptionKey(dataDir)));
  return [...breaches, ...(await checkPackets(database, await packetVault(database, vault)))];
}
