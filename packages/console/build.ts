import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";

/** Parts of earlier builds stay this long, for pages that are open and still ask for them. */
const KEPT_MS = 7 * 86_400_000;

/** Builds the console into the folder that the service serves it from, or into another. */
export async function buildConsole(outDir?: string): Promise<void> {
  const elsewhere = outDir === undefined ? {} : { build: { outDir } };
  await build({ root: import.meta.dirname, logLevel: "warn", ...elsewhere });
  await forgetOldParts(join(outDir ?? join(import.meta.dirname, "../server/console"), "assets"));
}

/** Every build writes all its parts again, so what has not been written for long belongs to none of late. */
async function forgetOldParts(assets: string): Promise<void> {
  for (const name of await readdir(assets)) {
    const path = join(assets, name);
    if (Date.now() - (await stat(path)).mtimeMs > KEPT_MS) await rm(path, { force: true });
  }
}

if (import.meta.main) await buildConsole();
