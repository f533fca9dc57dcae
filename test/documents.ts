import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the repository. */
export const ROOT: string = fileURLToPath(new URL("..", import.meta.url));

/** Folders that hold nothing of ours, or nothing that is kept. */
const APART = new Set(["node_modules", "dist", "data", ".git"]);

/** Every Markdown file of the repository by its path from there, with its text. */
export async function documents(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const path of await markdownBelow(ROOT)) {
    found.set(relative(ROOT, path), await readFile(path, "utf8"));
  }
  return found;
}

async function markdownBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const below = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return APART.has(entry.name) ? [] : markdownBelow(path);
      return entry.isFile() && entry.name.endsWith(".md") ? [path] : [];
    }),
  );
  return below.flat().toSorted();
}
