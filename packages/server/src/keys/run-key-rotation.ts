import { readConfig, readSecrets, type Secrets } from "../config/environment.ts";
import {
  adminTokenPath,
  keyEncryptionKeyOf,
  keyInFile,
  nextKeyEncryptionKey,
  promoteNextKey,
} from "../config/secret-files.ts";
import { openedDeployment, type Out, reporting } from "../operator-command.ts";
import type { Database } from "../store/database.ts";
import { rotateOperatorToken } from "./operator-token.ts";
import { type RotationProgress, rotatePacketKey } from "./rotate-packet-key.ts";
import { resealKeys, rotateIntermediate } from "./rotate.ts";
import { openingKeys, Vault } from "./vault.ts";

/** A long rotation says how far it is this often. */
const SAID_EVERY_MS = 10_000;

/** Which key to put another one in the place of. */
export type RotatedKey = "intermediate" | "encryption-key" | "operator-token" | "packet-key";

/** What a rotation works on: a deployment, and the vault that its key-encryption key of now opens. */
interface Deployment {
  readonly database: Database;
  readonly vault: Vault;
  readonly dataDir: string;
}

/**
 * Rotates a key of the deployment that the environment names, whether or not its service runs.
 * @param nextKeyFile holds the next key-encryption key, where the one of now comes from the environment
 * @returns the exit code: 0 when it is done, 1 when all is as it was
 */
export function runKeyRotation(
  environment: NodeJS.ProcessEnv,
  key: RotatedKey,
  nextKeyFile: string | null,
  out: Out = process.stdout,
): Promise<number> {
  return reporting({ out, otherwise: "No key was rotated" }, async () => {
    const { dataDir } = readConfig(environment);
    const secrets = readSecrets(environment);
    assertRotatable(key, secrets, nextKeyFile);
    await using stack = new AsyncDisposableStack();
    const database = await openedDeployment(stack, dataDir, secrets.databaseUrl);
    const vault = new Vault(await keyEncryptionKeyOf(dataDir, secrets.keyEncryptionKey));
    const done = await openingKeys({ of: "database" }, () =>
      rotate(key, { database, vault, dataDir }, nextKeyFile, out),
    );
    out.write(`${done}\n`);
  });
}

/** @throws Error where the environment gives what another key would have to take the place of */
function assertRotatable(
  key: RotatedKey,
  { keyEncryptionKey, adminToken }: Secrets,
  nextKeyFile: string | null,
): void {
  const takesNextKey = key === "encryption-key" && keyEncryptionKey !== null;
  if (takesNextKey && nextKeyFile === null) {
    throw new Error(
      "The key-encryption key comes from the environment: name a file with the next one, --next-key-file.",
    );
  }
  if (!takesNextKey && nextKeyFile !== null) {
    throw new Error("--next-key-file is for an encryption-key that comes from the environment.");
  }
  if (key === "operator-token" && adminToken !== null) {
    throw new Error(
      "The operator's token comes from the environment: change it there, and restart its processes.",
    );
  }
}

/** @returns what the operator is told once it is done */
async function rotate(
  key: RotatedKey,
  deployment: Deployment,
  nextKeyFile: string | null,
  out: Out,
): Promise<string> {
  const { database, vault, dataDir } = deployment;
  switch (key) {
    case "intermediate": {
      const version = await rotateIntermediate(database, vault);
      return `Trust chain ${version} is ready: restart every process, and new records are signed under it.`;
    }
    case "packet-key":
      await rotatePacketKey(database, vault, reportTo(out));
      return "All packets are sealed under the latest key for packets.";
    case "encryption-key": {
      const ofOldKey = await rotateEncryptionKey(deployment, nextKeyFile);
      return `The keys are sealed under the next key-encryption key. Every process needs it at its next start.\n${ofOldKey}`;
    }
    case "operator-token":
      await rotateOperatorToken(deployment);
      return `Another operator's token is in ${adminTokenPath(dataDir)}; the one before opens nothing.`;
    default:
      return key satisfies never;
  }
}

/** @returns what is to become of the old key */
async function rotateEncryptionKey(
  { database, vault, dataDir }: Deployment,
  nextKeyFile: string | null,
): Promise<string> {
  if (nextKeyFile === null) {
    const next = new Vault(await nextKeyEncryptionKey(dataDir));
    const kept = await promoteNextKey(dataDir, () => resealKeys(database, vault, next));
    return `The old key is in ${kept}: backups that were made without a passphrase need it.`;
  }
  await resealKeys(database, vault, new Vault(await keyInFile(nextKeyFile)));
  return "Keep the old key: backups that were made without a passphrase need it.";
}

/** Says how far a rotation is, every ten seconds. */
function reportTo(out: Out): (progress: RotationProgress) => void {
  let saidAt = performance.now();
  return ({ done, of }) => {
    if (performance.now() - saidAt < SAID_EVERY_MS) return;
    saidAt = performance.now();
    out.write(`Originals up to ${done} of ${of} are sealed again.\n`);
  };
}
