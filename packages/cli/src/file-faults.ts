import { access, constants, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Failure } from "./failure.ts";
import { shown } from "./shown.ts";

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "you have no permission",
  EISDIR: "it is a folder",
  ENOENT: "there is no such file",
  ENOSPC: "the disk is full",
  ENOTDIR: "there is no such folder",
  EPERM: "you have no permission",
  EROFS: "nothing can be written there",
};

/** Ends a command because a file cannot be read or written, and says why, as far as the system tells. */
export function fileFault(path: string, deed: "read" | "written", error: unknown): Failure {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = REASONS[code];
  return Failure.usage(`${shown(path)} cannot be ${deed}${reason === undefined ? "" : `: ${reason}`}.`);
}

/**
 * A file that a command was given, whole.
 *
 * @throws Failure (usage)
 */
export async function bytesOf(path: string): Promise<Buffer<ArrayBuffer>> {
  return readFile(path).catch((error: unknown) => {
    throw fileFault(path, "read", error);
  });
}

/**
 * Looks, before what costs something, whether a file can be written.
 *
 * @throws Failure (usage)
 */
export async function assertWritable(path: string): Promise<void> {
  const folder = dirname(path);
  if ((await stat(folder).catch(() => null))?.isDirectory() !== true) {
    throw Failure.usage(`${shown(path)} cannot be written: there is no folder ${shown(folder)}.`);
  }
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() === true) {
    throw Failure.usage(`${shown(path)} cannot be written: ${REASONS["EISDIR"]}.`);
  }
  await access(found === null ? folder : path, constants.W_OK).catch((error: unknown) => {
    throw fileFault(path, "written", error);
  });
}
