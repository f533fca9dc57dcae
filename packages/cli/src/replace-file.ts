import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { fileFault } from "./file-faults.ts";

/**
 * Puts a file in the place of what was there, whole or not at all. A link that lies there is replaced, and what it
 * leads to left alone: the folder may be somebody else's.
 *
 * @throws Failure (usage)
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { mode = 0o666 }: { readonly mode?: number } = {},
): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, content, { flag: "wx", mode });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw fileFault(path, "written", error);
  }
}
