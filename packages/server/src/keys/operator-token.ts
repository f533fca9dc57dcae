import { randomBytes } from "node:crypto";
import { adminTokenInFile, keepAdminToken } from "../config/secret-files.ts";
import { replaceOperatorToken } from "../store/accounts/operator-tokens.ts";
import { type Database, type Write, writing } from "../store/database.ts";
import { lockKeys, putSealedKey, readSealedKey } from "../store/keys.ts";
import type { Vault } from "./vault.ts";

const TOKEN = "operator token";

/** Where the operator's token is sealed, and where a copy of it is kept. */
interface TokenPlaces {
  readonly database: Database;
  readonly vault: Vault;
  readonly dataDir: string;
}

/**
 * Settles the operator's token, one for all processes on a database: the one that is given, else the database's, else
 * that of the data directory, else a new one. One that is not given is in the data directory afterwards, in
 * `admin-token`.
 * @throws Error with one clear line when that file is damaged; SealBroken
 */
export async function settleOperatorToken(
  { database, vault, dataDir }: TokenPlaces,
  given: string | null,
): Promise<void> {
  const inFile = given === null ? await adminTokenInFile(dataDir) : null;
  const token = await writing(database, async (write) => {
    await lockKeys(write);
    const stored = await storedToken(write, vault);
    const settled = given ?? stored ?? inFile ?? newToken();
    if (settled !== stored) await store(write, vault, settled);
    return settled;
  });
  if (given === null && token !== inFile) await keepAdminToken(dataDir, token);
}

/**
 * Puts another operator's token in the place of the one of now, which opens nothing from then on, and into the data
 * directory: both, or neither.
 */
export async function rotateOperatorToken({ database, vault, dataDir }: TokenPlaces): Promise<void> {
  const token = newToken();
  const accept = (): Promise<void> =>
    writing(database, async (write) => {
      await lockKeys(write);
      await store(write, vault, token);
    });
  await keepAdminToken(dataDir, token, accept);
}

async function storedToken(write: Write, vault: Vault): Promise<string | null> {
  const sealed = await readSealedKey(write, TOKEN);
  return sealed === null ? null : vault.open(sealed, TOKEN).toString();
}

async function store(write: Write, vault: Vault, token: string): Promise<void> {
  await putSealedKey(write, TOKEN, vault.seal(Buffer.from(token), TOKEN));
  await replaceOperatorToken(write, token);
}

function newToken(): string {
  return `cla_${randomBytes(32).toString("base64url")}`;
}
