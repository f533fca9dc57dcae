import { build } from "vite";

/** Builds the console into the folder that the service serves it from, or into another. */
export async function buildConsole(outDir?: string): Promise<void> {
  const elsewhere = outDir === undefined ? {} : { build: { outDir } };
  await build({ root: import.meta.dirname, logLevel: "warn", ...elsewhere });
}

if (import.meta.main) await buildConsole();
