import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as asc from "assemblyscript/asc";
import { expect, it } from "vitest";

const folder = fileURLToPath(new URL("../../kernels/", import.meta.url));

it("the committed kernels are what their sources compile to", async () => {
  const target = mkdtempSync(join(tmpdir(), "colophon-kernels-"));
  try {
    const { error } = await asc.main([
      "--config",
      join(folder, "asconfig.json"),
      "--outFile",
      join(target, "kernels.wasm"),
    ]);
    expect(error).toBeNull();
    const built = readFileSync(join(target, "kernels.wasm"));
    expect(built.equals(readFileSync(join(folder, "kernels.wasm")))).toBe(true);
  } finally {
    rmSync(target, { recursive: true });
  }
});
