import { readConfig, readSecrets } from "../config/environment.ts";
import {
  adminTokenPath,
  keyEncryptionKeyOf,
  keyInFile,
  nextKeyEncryptionKey,
  promoteNextKey,
} from "../config/secret-files.ts";
import { openedDeployment, type Out, reporting } from "../operator-command.ts";
import { rotateOperatorToken } from "./operator-token.ts";
import { type RotationProgress, rotatePacketKey } from "./rotate-packet-key.ts";
import { resealKeys, rotateIntermediate } from "./rotate.ts";
import { openingKeys, Vault } from "./vault.ts";

/** A long rotation says how far it is this often. */
const SAID_EVERY_MS = 10_000;

/** Which key to put another one in the place of. */
export type RotatedKey = "intermediate" | "encryption-key" | "operator-token" | "packet-key";

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
    const { databaseUrl, keyEncryptionKey, adminToken } = readSecrets(environment);
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
    await using stack = new AsyncDisposableStack();
    const database = await openedDeployment(stack, dataDir, databaseUrl);
    const current = new Vault(await keyEncryptionKeyOf(dataDir, keyEncryptionKey));
    const rotations: Readonly<Record<RotatedKey, () => Promise<string>>> = {
      intermediate: async () => {
        const version = await rotateIntermediate(database, current);
        return `Trust chain ${version} is ready: restart every process, and new records are signed under it.`;
      },
      "packet-key": async () => {
        await rotatePacketKey(database, current, reportTo(out));
        return "All packets are sealed under the latest key for packets.";
      },
      "encryption-key": async () => {
        const done =
          "The keys are sealed under the next key-encryption key. Every process needs it at its next start.";
        if (nextKeyFile === null) {
          const next = new Vault(await nextKeyEncryptionKey(dataDir));
          const kept = await promoteNextKey(dataDir, () => resealKeys(database, current, next));
          return `${done}\nThe old key is in ${kept}: backups that were made without a passphrase need it.`;
        }
        await resealKeys(database, current, new Vault(await keyInFile(nextKeyFile)));
        return `${done}\nKeep the old key: backups that were made without a passphrase need it.`;
      },
      "operator-token": async () => {
        await rotateOperatorToken({ database, vault: current, dataDir });
        return `Another operator's token is in ${adminTokenPath(dataDir)}; the one before opens nothing.`;
      },
    };
    out.write(`${await openingKeys({ of: "database" }, rotations[key])}\n`);
  });
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
