import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import LongestFirstSequencer from "./tools/longest-first-sequencer.ts";
import { memoryFolder } from "./tools/memory-folder.ts";

// Every process of a test, services included, finds modules as another compiled them: half of a start's time.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("node_modules/.cache/node", import.meta.url));

// Data directories of tests are in memory where that can be: each begins with a database of 50 MB, and ends with its file.
const memory = memoryFolder();
if (memory !== null) process.env["TMPDIR"] ??= memory;

/** Files share a worker's process, with what they import: loading that takes a second for each. */
function project(name: string, include: string | string[], globalSetup: string[] = []) {
  return {
    test: {
      name,
      include: [include].flat(),
      environment: "node",
      isolate: false,
      testTimeout: 180_000,
      hookTimeout: 180_000,
      // What is waited for comes; how soon is nothing that a test says.
      expect: { poll: { timeout: 60_000 } },
      globalSetup,
    },
  };
}

/** Each file in a process of its own: what a decoder accepts holds for a whole process. */
function alone(name: string, include: string) {
  const { test } = project(name, include);
  return { test: { ...test, isolate: true } };
}

export default defineConfig({
  test: {
    reporters: ["default", "./tools/closing-line-reporter.ts"],
    // Suites start services and databases of their own and wait for them: three at a time keep two cores busy.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirstSequencer },
    projects: [
      alone("repository", "test/**/*.test.ts"),
      project("contract", "packages/contract/test/**/*.test.ts"),
      project("formats", "packages/formats/test/**/*.test.ts"),
      project("log", "packages/log/test/**/*.test.ts"),
      project("credentials", "packages/credentials/test/**/*.test.ts"),
      alone("engine", "packages/engine/test/**/*.test.ts"),
      project("server", ["packages/server/test/*.test.ts", "packages/server/test/!(trials)/**/*.test.ts"]),
      alone("trials", "packages/server/test/trials/**/*.test.ts"),
      project("client", "packages/client/test/**/*.test.ts"),
      project("cli", "packages/cli/test/**/*.test.ts"),
      project("console", "packages/console/test/**/*.test.ts", [
        "packages/console/test/support/build-console.ts",
      ]),
      project("conformance", "conformance/**/*.test.ts", ["conformance/support/shared-deployment.ts"]),
    ],
  },
});
