import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { describe, expect, it } from "vitest";

/** Most that the whole client may add to a page, minified and compressed. */
const BUDGET_BYTES = 12_000;

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
    expect(gzipSync(code).length).toBeLessThan(BUDGET_BYTES);
  });
});
