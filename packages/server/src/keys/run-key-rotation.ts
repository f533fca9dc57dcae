import { readConfig, readSecrets } from "../config/environment.ts";
import {
  adminTokenPath,
  existingKeyEncryptionKey,
  keyInFile,
  nextKeyEncryptionKey,
  promoteNextKey,
} from "../config/secret-files.ts";
import { opened, type Out, reporting } from "../operator-command.ts";
import { rotateOperatorToken } from "./operator-token.ts";
import { resealKeys, rotateIntermediate } from "./rotate.ts";
import { SealBroken, Vault } from "./vault.ts";

/** Which key to put another one in the place of. */
export type RotatedKey = "intermediate" | "encryption-key" | "operator-token";

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
  return reporting(out, "No key was rotated", async () => {
    const { dataDir } = readConfig(environment);
    const { databaseUrl, keyEncryptionKey, adminToken } = readSecrets(environment);
    const current = new Vault(keyEncryptionKey ?? (await existingKeyEncryptionKey(dataDir)));
    if (key === "encryption-key" && keyEncryptionKey !== null && nextKeyFile === null) {
      throw new Error("COLOPHON_KEY_ENCRYPTION_KEY is set: name a file with the next key, --next-key-file.");
    }
    if (key === "operator-token" && adminToken !== null) {
      throw new Error("COLOPHON_ADMIN_TOKEN is set: give it another value and restart its processes.");
    }
    await using stack = new AsyncDisposableStack();
    const database = await opened(stack, dataDir, databaseUrl);
    try {
      if (key === "intermediate") {
        const version = await rotateIntermediate(database, current);
        out.write(
          `Trust chain ${version} is ready: restart every process, and new records are signed under it.\n`,
        );
        return;
      }
      if (key === "operator-token") {
        await rotateOperatorToken({ database, vault: current, dataDir });
        out.write(
          `Another operator's token is in ${adminTokenPath(dataDir)}; the one before opens nothing.\n`,
        );
        return;
      }
      const next = nextKeyFile === null ? await nextKeyEncryptionKey(dataDir) : await keyInFile(nextKeyFile);
      await resealKeys(database, current, new Vault(next));
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      throw new Error("The key-encryption key does not open the keys of this database.", { cause: error });
    }
    if (keyEncryptionKey === null && nextKeyFile === null) await promoteNextKey(dataDir);
    out.write(
      "The keys are sealed under the next key-encryption key. Every process needs it at its next start.\n",
    );
  });
}
