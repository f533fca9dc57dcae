import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { REPRODUCTIONS } from "../trials/reproductions.ts";
import { ROOT } from "./documents.ts";

/** What tries something: a test that the suite runs, or a trial. */
const TRIES = /(^|\/)(test\/.+\.test\.ts|conformance\/.+\.test\.ts|trials\/.+\.ts)$/;

const page = await readFile(join(ROOT, "docs/threat-model.md"), "utf8");
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (They try|It happens|---)/.test(line))
  .map((line) => line.split(" | ").map((cell) => cell.replaceAll(/^\| | \|$/g, "")));

it("every line of the threat model names a test or a trial that is there", () => {
  expect(rows.length).toBeGreaterThan(20);
  const unproven = rows.flatMap(([threat = "", , tried = ""]) => {
    const files = Array.from(tried.matchAll(/\]\(\.\.\/([^)]+)\)/g), ([, file = ""]) => file);
    const good = files.length > 0 && files.every((file) => TRIES.test(file) && existsSync(join(ROOT, file)));
    return good ? [] : [threat];
  });
  expect(unproven).toEqual([]);
});

it("every defect that was once found stands in it, by the name that the trial takes", () => {
  const named = new Set(rows.flatMap(([, , tried = ""]) => tried.match(/`[a-z-]+`/g) ?? []));
  expect(named).toEqual(new Set(REPRODUCTIONS.map(({ name }) => `\`${name}\``)));
});
