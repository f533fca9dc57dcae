import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { describe, expect, it } from "vitest";
import { CLIENT_BUDGET_BYTES } from "./bundle-budget.ts";

describe("bundled for a browser", () => {
  it("the client is small, and brings neither schemas nor anything of Node", async () => {
    const input = fileURLToPath(new URL("../src/index.ts", import.meta.url));
    const bundle = await rolldown({ input, platform: "browser", logLevel: "silent" });
    const { output } = await bundle.generate({ format: "esm", minify: true });
    await bundle.close();
    const [{ code, imports, moduleIds }] = output;
    expect(imports).toEqual([]);
    expect(moduleIds.filter((id) => /typebox|packages\/contract/.test(id))).toEqual([]);
    expect(/\bnode:|\bBuffer\b|\bprocess\.\w/.test(code)).toBe(false);
    expect(gzipSync(code).length).toBeLessThan(CLIENT_BUDGET_BYTES);
  });
});
