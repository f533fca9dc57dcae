import { randomBytes } from "node:crypto";
import { link, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { drafted, readIfThere, readOrCreate, syncFolder } from "../durable-file.ts";
import { errorCode } from "../error-code.ts";
import { type GivenKey, isAdminToken } from "./setting-values.ts";

/** All else is done, but a file could not take the place of another: the operator moves it. */
export class FileNotMoved extends Error {
  override readonly name = "FileNotMoved";

  constructor(from: string, to: string, cause: unknown) {
    super(`${from} could not be moved to ${to} (${errorCode(cause) ?? "unknown"}): move it there.`, {
      cause,
    });
  }
}

/**
 * The token of the `/admin` routes in `<data dir>/admin-token`; null where there is no such file.
 * @throws Error with one clear line where it holds no token
 */
export async function adminTokenInFile(dataDir: string): Promise<string | null> {
  const path = adminTokenPath(dataDir);
  const token = (await readIfThere(path))?.trim() ?? null;
  if (token !== null && !isAdminToken(token)) {
    throw new Error(`${path} holds no token: remove the file, and the next start writes it again.`);
  }
  return token;
}

/**
 * Puts the token of the `/admin` routes into `<data dir>/admin-token`, in the place of another one.
 * @param accept makes it the token of now. The token is on the disk by then, for a full one would have no room for it
 * afterwards; where it fails, the folder is as it was
 * @throws FileNotMoved where it is accepted, and not in its place
 */
export async function keepAdminToken(
  dataDir: string,
  token: string,
  accept: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const path = adminTokenPath(dataDir);
  const draft = await drafted(path, `${token}\n`);
  try {
    await accept();
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await moved(draft, path);
}

/** The key-encryption key, generated once into `<data dir>/key-encryption-key`. */
export function keyEncryptionKeyFile(dataDir: string): Promise<Buffer> {
  return keyMadeOnce(keyPath(dataDir));
}

/** @throws Error with one clear line where a data directory has a key-encryption key, and it is another one */
export async function assertNoOtherKey(dataDir: string, key: Buffer): Promise<void> {
  const path = keyPath(dataDir);
  const text = await readIfThere(path);
  if (text !== null) assertSameKey(path, text, key);
}

/**
 * Puts a key-encryption key into a data directory.
 * @throws Error with one clear line where there is another one
 */
export async function keepKeyEncryptionKey(dataDir: string, key: Buffer): Promise<void> {
  const path = keyPath(dataDir);
  assertSameKey(path, await readOrCreate(path, () => `${key.toString("base64")}\n`), key);
}

function assertSameKey(path: string, text: string, key: Buffer): void {
  if (!parseKey(path, text).equals(key)) throw new Error(`${path} holds another key.`);
}

/**
 * The key-encryption key of a data directory that has one.
 * @throws Error with one clear line where there is none
 */
export async function existingKeyEncryptionKey(dataDir: string): Promise<Buffer> {
  const path = keyPath(dataDir);
  const text = await readIfThere(path);
  if (text === null) throw new Error(`There is no ${path}, and COLOPHON_KEY_ENCRYPTION_KEY is not set.`);
  return parseKey(path, text);
}

/** The key that is to take the place of a data directory's: made once, and found again after an interruption. */
export function nextKeyEncryptionKey(dataDir: string): Promise<Buffer> {
  return keyMadeOnce(nextKeyPath(dataDir));
}

/**
 * Puts the next key in the place of the key of a data directory, which is kept beside it: backups of its time need it.
 * @param accept makes it the key of now. Both keys are on the disk by then; where it fails, the key is as it was
 * @returns the path of the key that was kept, of mode 0600
 * @throws FileNotMoved where it is accepted, and not in its place
 */
export async function promoteNextKey(dataDir: string, accept: () => Promise<void>): Promise<string> {
  const path = keyPath(dataDir);
  const kept = `${path}.before-${new Date().toISOString().replaceAll(":", "")}`;
  const draft = await drafted(path, await readFile(path, "utf8"));
  try {
    // Unlike a rename, it takes no other file's place.
    await link(draft, kept);
  } finally {
    await rm(draft);
  }
  await syncFolder(dirname(kept));
  try {
    await accept();
  } catch (error) {
    await rm(kept);
    throw error;
  }
  await moved(nextKeyPath(dataDir), path);
  return kept;
}

/** The key that a file of the operator's holds, 32 bytes in base64. */
export async function keyInFile(path: string): Promise<Buffer> {
  return parseKey(path, await readFile(path, "utf8"));
}

/** The seed of a witness's key, generated once into `<data dir>/witness-key`. */
export function witnessKeyFile(dataDir: string): Promise<Buffer> {
  return keyMadeOnce(join(dataDir, "witness-key"));
}

/**
 * The key-encryption key of a deployment: the one that its environment gives, else that of its data directory.
 * @throws Error with one clear line where there is none
 */
export async function keyEncryptionKeyOf(dataDir: string, given: GivenKey | null): Promise<Buffer> {
  return given?.bytes ?? existingKeyEncryptionKey(dataDir);
}

/** What holds the key-encryption key of a deployment, as messages name it: a setting, or the path of its file. */
export function keyPlace(dataDir: string, given: GivenKey | null): string {
  return given?.setting ?? keyPath(dataDir);
}

/** Where the key-encryption key is, unless COLOPHON_KEY_ENCRYPTION_KEY is set. */
export function keyPath(dataDir: string): string {
  return join(dataDir, "key-encryption-key");
}

/** Where the token of the `/admin` routes is, unless COLOPHON_ADMIN_TOKEN is set. */
export function adminTokenPath(dataDir: string): string {
  return join(dataDir, "admin-token");
}

function nextKeyPath(dataDir: string): string {
  return `${keyPath(dataDir)}.next`;
}

/** The key in a file, 32 random bytes where there is none yet. */
async function keyMadeOnce(path: string): Promise<Buffer> {
  return parseKey(path, await readOrCreate(path, () => `${randomBytes(32).toString("base64")}\n`));
}

function parseKey(path: string, text: string): Buffer {
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== 32) throw new Error(`${path} must hold 32 bytes in base64.`);
  return key;
}

/** Moves a file within its folder; it is on the disk under its name when it resolves. @throws FileNotMoved */
async function moved(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: unknown) => {
    throw new FileNotMoved(from, to, error);
  });
  await syncFolder(dirname(to));
}
