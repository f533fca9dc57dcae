import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const BUILT = fileURLToPath(new URL("../../server/console/", import.meta.url));
/** Most that the console's first page may load, compressed: bytes of script, bytes of style. */
const BUDGETS = { js: 80_000, css: 8_000 };

it.each(Object.entries(BUDGETS))("the console's %s is at most %i bytes, compressed", (kind, budget) => {
  const page = readFileSync(join(BUILT, "index.html"), "utf8");
  const files = readdirSync(join(BUILT, "assets")).filter(
    (name) => name.endsWith(`.${kind}`) && page.includes(name),
  );
  expect(files.length).toBeGreaterThan(0);
  const bytes = files.reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(BUILT, "assets", name))).length,
    0,
  );
  expect(bytes).toBeLessThan(budget);
});
