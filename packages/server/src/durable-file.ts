import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "./error-code.ts";

/** The text of a file; null where there is none. @throws Error whose `path` names the file */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    // What fails while it is read does not name the file.
    throw error instanceof Error ? Object.assign(error, { path }) : error;
  }
}

/**
 * The text of a file of mode 0600, made when it is missing, on the disk when it resolves. It appears whole or not at
 * all, and processes that start at once agree on one: the first to link it in wins.
 */
export async function readOrCreate(path: string, text: () => string): Promise<string> {
  const existing = await readIfThere(path);
  if (existing !== null) return existing;
  const draft = await drafted(path, text());
  try {
    await link(draft, path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    await rm(draft);
  }
  await syncFolder(dirname(path));
  return readFile(path, "utf8");
}

/** Puts a file of mode 0600 in the place of what was there, whole or not at all, on the disk when it resolves. */
export async function replace(path: string, text: string): Promise<void> {
  const draft = await drafted(path, text);
  try {
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/**
 * Writes a file of mode 0600 beside the place that it is meant for, in a folder that is made when it is missing; leaves
 * nothing there where it fails.
 * @returns its path; its bytes are on the disk
 */
export async function drafted(path: string, text: string): Promise<string> {
  await makeFolder(dirname(path));
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return draft;
}

/** Brings the names within a folder to the disk. */
export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path);
  await folder.sync();
}

/**
 * Makes a folder of mode 0700, and those that it lies in, where they are missing. One that cannot be made in a file
 * system of the kernel's hangs Node's own way to do that.
 */
export async function makeFolder(path: string): Promise<void> {
  const parent = dirname(path);
  if (parent !== path && !(await isFolder(parent))) await makeFolder(parent);
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== "EEXIST" || !(await isFolder(path))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() === true;
}
