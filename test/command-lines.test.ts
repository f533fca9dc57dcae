import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** What a program that is started by hand answers. */
function answer(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
  return { status, stdout, stderr };
}

test("a program says what it does and takes", () => {
  const { status, stdout, stderr } = answer("trials/log-size.ts", "--help");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^[A-Z][^]*\n {4}node trials\/log-size\.ts \[--entries 100000\] \[--seed 1\]\n/);
});

test.each([
  ["an option it does not know", ["--victory"], "Unknown option '--victory'; --help says what there is.\n"],
  [
    "an option without its value",
    ["--out"],
    "Option '--out <value>' argument missing; --help says what there is.\n",
  ],
  ["nothing where it needs something", [], "--out DIR is required; --help says what there is.\n"],
])("a program refuses %s in one line", (_, args, stderr) => {
  expect(answer("testing/pictures.ts", ...args)).toEqual({ status: 2, stdout: "", stderr });
});

test("every program reads its command line this way", () => {
  const programs = globSync("{bench,testing,tools,trials}/**/*.ts", {
    cwd: ROOT,
    exclude: ["**/node_modules"],
  })
    .map((path) => ({ path, text: readFileSync(ROOT + path, "utf8") }))
    .filter(({ path, text }) => text.includes(` *     node ${path}`));
  expect(programs.length).toBeGreaterThan(50);
  expect(
    programs.filter(({ text }) => !/\b(readCommandLine|runTrial)\(/.test(text)).map(({ path }) => path),
  ).toEqual([]);
});
