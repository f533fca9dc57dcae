import { readConfig, readSecrets } from "../config/environment.ts";
import { keyEncryptionKeyOf, keyPlace } from "../config/secret-files.ts";
import { QueryPool } from "../custody/query-pool.ts";
import { openingKeys, Vault } from "../keys/vault.ts";
import { isInDataDir, openedDeployment, type Out, reporting } from "../operator-command.ts";
import type { Breach } from "./breach.ts";
import { checkCheckpoints } from "./check-checkpoints.ts";
import { checkConsistency, type ConsistencyOptions } from "./check-consistency.ts";
import { checkKeys } from "./check-keys.ts";
import { checkPackets } from "./check-packets.ts";
import { checkPool, imageReader } from "./check-pool.ts";

/** What to check of a deployment. */
export interface FsckOptions extends ConsistencyOptions {
  /** Whether to open and read every stored packet and query image as well. */
  readonly packets: boolean;
}

/**
 * Checks the data of a deployment as the environment names it, whether or not its service runs, and prints one line
 * for every breach.
 * @returns the exit code: 0 when all is well, 1 when something is broken or could not be checked
 */
export function runFsck(
  environment: NodeJS.ProcessEnv,
  options: FsckOptions,
  out: Out = process.stdout,
): Promise<number> {
  return reporting({ out, otherwise: "The data could not be checked" }, async () => {
    const breaches = await check(environment, options);
    for (const { rule, what } of breaches) out.write(`broken: ${rule} (${what})\n`);
    out.write(breaches.length === 0 ? "All is consistent.\n" : `${breaches.length} breaches.\n`);
    return breaches.length === 0 ? 0 : 1;
  });
}

async function check(environment: NodeJS.ProcessEnv, options: FsckOptions): Promise<readonly Breach[]> {
  const { dataDir } = readConfig(environment);
  const { databaseUrl, keyEncryptionKey } = readSecrets(environment);
  if (!(await isInDataDir(dataDir, dataDir))) throw new Error(`There is no ${dataDir}.`);
  await using stack = new AsyncDisposableStack();
  const database = await openedDeployment(stack, dataDir, databaseUrl);
  const pool = await QueryPool.open(dataDir);
  const keyName = keyPlace(dataDir, keyEncryptionKey);
  const keys = await openingKeys({ of: "database", keyName }, () =>
    checkKeys(database, async () => new Vault(await keyEncryptionKeyOf(dataDir, keyEncryptionKey))),
  );
  const breaches = [
    ...keys.breaches,
    ...(await checkConsistency(database, options)),
    ...(await checkCheckpoints(database, keys.log)),
    ...(await checkPool(database, pool, options.packets ? imageReader(pool, keys.queries) : null)),
  ];
  return options.packets ? [...breaches, ...(await checkPackets(database, keys.packets))] : breaches;
}
