import { fileURLToPath } from "node:url";
import { build } from "vite";

const CONSOLE = fileURLToPath(new URL("../../", import.meta.url));

/** Builds the console before the tests that look at it, so that they see the sources of now. */
export async function setup(): Promise<void> {
  await build({ root: CONSOLE, configFile: `${CONSOLE}vite.config.ts`, logLevel: "warn" });
}
