import { access } from "node:fs/promises";
import { dirname } from "node:path";
import { readConfig, readSecrets } from "../config/environment.ts";
import {
  assertNoOtherKey,
  keepKeyEncryptionKey,
  keyEncryptionKeyOf,
  keyPath,
  keyPlace,
} from "../config/secret-files.ts";
import { QueryPool } from "../custody/query-pool.ts";
import { PacketSeal } from "../keys/packet-seal.ts";
import { openingKeys, Vault } from "../keys/vault.ts";
import type { Database } from "../store/database.ts";
import { opened, openedDeployment, type Out, reporting } from "../operator-command.ts";
import { openKey, sealKey } from "./key-seal.ts";
import { loadBackup } from "./load-backup.ts";
import { BackupReader } from "./read-backup.ts";
import { writeBackup } from "./write-backup.ts";

const LEAST_PASSPHRASE = 12;

/** What both commands work with. */
export interface BackupOptions {
  readonly file: string;
  /** Seals the key-encryption key inside the backup, or opens it; null: the key is kept apart. */
  readonly passphrase: string | null;
  readonly signal: AbortSignal;
}

export interface RestoreOptions extends BackupOptions {
  /** The service that was backed up has signed nothing since. */
  readonly logGoesOn: boolean;
}

/**
 * Backs up the deployment that the environment names, whether or not its service runs.
 * @returns the exit code: 0 when the file is whole, 1 when there is none
 */
export function runBackup(
  environment: NodeJS.ProcessEnv,
  { file, passphrase, signal }: BackupOptions,
  out: Out = process.stdout,
): Promise<number> {
  return reporting({ out, otherwise: "Nothing was backed up", signal }, async () => {
    if (passphrase !== null && passphrase.length < LEAST_PASSPHRASE) {
      throw new Error(`A passphrase has at least ${LEAST_PASSPHRASE} characters.`);
    }
    if (await exists(file)) throw new Error(`${file} is there already.`);
    if (!(await exists(dirname(file)))) throw new Error(`There is no folder ${dirname(file)}.`);
    const { dataDir } = readConfig(environment);
    const { databaseUrl, keyEncryptionKey } = readSecrets(environment);
    await using stack = new AsyncDisposableStack();
    const database = await openedDeployment(stack, dataDir, databaseUrl, { earlierToo: true });
    const kek = (): Promise<Buffer> => keyEncryptionKeyOf(dataDir, keyEncryptionKey);
    const key =
      passphrase === null ? null : await sealKey(await provenKey(database, await kek()), passphrase);
    const { tables, bytes } = await writeBackup(database, { file, key, signal });
    out.write(`${file}: ${tables} tables, ${bytes} bytes.\n`);
    const where = keyPlace(dataDir, keyEncryptionKey);
    out.write(
      key === null
        ? `The key-encryption key is not in it: keep ${where} as well, apart from it.\n`
        : "The key-encryption key is in it, sealed under the passphrase.\n",
    );
  });
}

/**
 * Restores a backup into the empty deployment that the environment names.
 * @returns the exit code: 0 when all of it is there, 1 when nothing was restored
 */
export function runRestore(
  environment: NodeJS.ProcessEnv,
  { file, passphrase, signal, logGoesOn }: RestoreOptions,
  out: Out = process.stdout,
): Promise<number> {
  return reporting({ out, otherwise: "Nothing was restored", signal }, async () => {
    const { dataDir } = readConfig(environment);
    const { databaseUrl, keyEncryptionKey } = readSecrets(environment);
    if (!(await exists(file))) throw new Error(`There is no ${file}.`);
    using backup = await BackupReader.open(file, signal);
    const sealed = backup.header.key;
    if (passphrase !== null && sealed === null) {
      throw new Error("The backup holds no key that a passphrase opens.");
    }
    const elsewhere = keyEncryptionKey !== null || (await exists(keyPath(dataDir)));
    if (passphrase === null && sealed !== null && !elsewhere) {
      throw new Error("The backup's key is sealed: name the file of its passphrase with --passphrase-file.");
    }
    const key =
      passphrase !== null && sealed !== null
        ? await openKey(sealed, passphrase)
        : await keyEncryptionKeyOf(dataDir, keyEncryptionKey);
    if (keyEncryptionKey !== null && !keyEncryptionKey.bytes.equals(key)) {
      throw new Error(`${keyEncryptionKey.setting} is another key than that of the backup.`);
    }
    // Before a database is made for it.
    await BackupReader.assertWhole(file, signal);
    await using stack = new AsyncDisposableStack();
    const database = await opened(stack, dataDir, databaseUrl);
    if (keyEncryptionKey === null) await assertNoOtherKey(dataDir, key);
    const { id: poolId } = await QueryPool.open(dataDir);
    const { lostQueries, origin } = await loadBackup(database, backup, {
      vault: new Vault(key),
      poolId,
      logGoesOn,
      keepKey: async () => {
        if (keyEncryptionKey === null) await keepKeyEncryptionKey(dataDir, key);
      },
    });
    out.write(`The backup of ${backup.header.madeAt} is restored.\n`);
    if (origin !== null) out.write(`Log: ${origin}${logGoesOn ? "" : ", begun again"}\n`);
    if (lostQueries > 0) {
      out.write(`${lostQueries} query images of open look-up slots are in no backup: send them again.\n`);
    }
  });
}

/** A key that opens the keys of the database, so that no backup holds a useless one. */
async function provenKey(database: Database, key: Buffer): Promise<Buffer> {
  await openingKeys({ of: "database" }, () =>
    PacketSeal.open(database, () => Promise.resolve(new Vault(key))),
  );
  return key;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
