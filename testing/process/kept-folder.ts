import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const KEPT = fileURLToPath(new URL("../node_modules/.cache/colophon/", import.meta.url));
/** So long one stays that nothing is made from any more: another run may still be using it. */
const STAYS_MS = 86_400_000;

/**
 * A folder that is made once for what it is made from, and kept for later runs.
 *
 * @param name what it holds, in letters
 * @param digest of all that it is made from, in letters and digits
 * @param make fills an empty folder; it appears whole or not at all, however many processes make it at once
 */
export async function keptFolder(
  name: string,
  digest: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const kept = join(KEPT, `${name}-${digest}`);
  if (existsSync(kept)) return kept;
  await mkdir(KEPT, { recursive: true });
  const unfinished = await mkdtemp(join(KEPT, "unfinished-"));
  const folder = join(unfinished, name);
  try {
    await mkdir(folder);
    await make(folder);
    await rename(folder, kept).catch((error: unknown) => {
      if (!existsSync(kept)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  await forgetOld(name);
  return kept;
}

async function forgetOld(name: string): Promise<void> {
  for (const entry of await readdir(KEPT)) {
    const path = join(KEPT, entry);
    if (!entry.startsWith(`${name}-`)) continue;
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > STAYS_MS) await rm(path, { recursive: true, force: true });
  }
}
