import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { type OutputChunk, rolldown } from "rolldown";
import { describe, expect, it } from "vitest";
import { CLIENT_BUDGET_BYTES, ROUTES_BUDGET_BYTES } from "./bundle-budget.ts";

const CLIENT = JSON.stringify(fileURLToPath(new URL("../src/index.ts", import.meta.url)));

/** A page's script, as a bundler makes it of what the page takes from the client. */
async function bundled(taken: string): Promise<OutputChunk> {
  const entry = {
    name: "entry",
    resolveId: (id: string) => (id === "entry" ? id : null),
    load: (id: string) => (id === "entry" ? `export ${taken} from ${CLIENT};` : null),
  };
  const bundle = await rolldown({
    input: "entry",
    platform: "browser",
    logLevel: "silent",
    plugins: [entry],
  });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  await bundle.close();
  return output[0];
}

describe("bundled for a browser", () => {
  it("the client is small, and brings neither schemas nor anything of Node", async () => {
    const { code, imports, moduleIds } = await bundled("*");
    expect(imports).toEqual([]);
    expect(moduleIds.filter((id) => /typebox|packages\/contract/.test(id))).toEqual([]);
    expect(/\bnode:|\bBuffer\b|\bprocess\.\w/.test(code)).toBe(false);
    expect(gzipSync(code).length).toBeLessThan(CLIENT_BUDGET_BYTES);
  });

  it("a page that calls routes alone leaves batches, sequences and the operator's client behind", async () => {
    const { code } = await bundled("{ ColophonClient }");
    expect(gzipSync(code).length).toBeLessThan(ROUTES_BUDGET_BYTES);
  });
});
