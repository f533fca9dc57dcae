import { defineConfig } from "vitest/config";

const project = (name: string, include: string[]) => ({
  test: { name, include, environment: "node", testTimeout: 120_000, hookTimeout: 120_000 },
});

export default defineConfig({
  test: {
    projects: [
      project("contract", ["packages/contract/test/**/*.test.ts"]),
      project("formats", ["packages/formats/test/**/*.test.ts"]),
      project("engine", ["packages/engine/test/**/*.test.ts"]),
      project("server", ["packages/server/test/**/*.test.ts"]),
      project("cli", ["packages/cli/test/**/*.test.ts"]),
      project("conformance", ["conformance/**/*.test.ts"]),
    ],
  },
});
