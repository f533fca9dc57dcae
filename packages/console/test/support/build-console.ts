import { buildConsole } from "../../build.ts";

/** Before the tests that look at the console: they see the sources of now. */
export async function setup(): Promise<void> {
  await buildConsole();
}
