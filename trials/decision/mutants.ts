/**
 * Deletes one rule, one clause or one early answer of the matcher's decision after the other, and runs its unit tests
 * on each copy: what no test misses is named.
 *
 *     node trials/decision/mutants.ts [--only TEXT]
 *
 * Works on a copy in the system's temporary folder. `--only`: mutants whose description contains this. Ends with 1 when
 * a mutant lives.
 */
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const ROOT = new URL("../..", import.meta.url).pathname;
const DECIDE = "packages/engine/src/matching/decide";
const FILES = ["rules.ts", "decide.ts", "situation.ts", "borne-out.ts", "shown-whole.ts"];
const TESTS = "packages/engine/test/matching";

/** One file without some lines. */
interface Mutant {
  readonly file: string;
  readonly what: string;
  readonly text: string;
}

/** The lines from `first` to `last`, both included, taken out. */
function without(lines: readonly string[], first: number, last: number): string {
  return [...lines.slice(0, first), ...lines.slice(last + 1)].join("\n");
}

/** Each rule of the table: from the line that opens it to the one that closes it. */
function ruleMutants(file: string, lines: readonly string[]): Mutant[] {
  return lines.flatMap((line, k) => {
    const name = /^ {4}name: "([a-z-]+)",$/.exec(line)?.[1];
    if (name === undefined) return [];
    const last = lines.indexOf("  },", k);
    return [{ file, what: `rule ${name}`, text: without(lines, k - 1, last) }];
  });
}

/** Each line that is a clause of a longer condition, or an answer given early. */
function lineMutants(file: string, lines: readonly string[]): Mutant[] {
  return lines.flatMap((line, k) => {
    const isClause = /(&&|\|\|)$/.test(line) && !/^\s*(if|return|const|export|\()/.test(line);
    const isAnswer = /^\s*if \(.*\) return .*;$/.test(line);
    if (!isClause && !isAnswer) return [];
    return [{ file, what: `${file}:${k + 1} ${line.trim()}`, text: without(lines, k, k) }];
  });
}

function mutants(): Mutant[] {
  return FILES.flatMap((name) => {
    const file = join(DECIDE, name);
    const lines = readFileSync(join(ROOT, file), "utf8").split("\n");
    return [...ruleMutants(file, lines), ...lineMutants(file, lines)];
  });
}

/** Whether the decision's tests pass in the folder. */
async function passes(folder: string): Promise<boolean> {
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const tests = ["rules.test.ts", "decide.test.ts"].map((name) => join(TESTS, name));
  try {
    await promisify(execFile)(process.execPath, [vitest, "run", "--root", folder, ...tests], { cwd: folder });
    return true;
  } catch {
    return false;
  }
}

async function main(): Promise<void> {
  const { values } = readCommandLine({ options: { only: { type: "string", default: "" } } });
  const folder = mkdtempSync(join(tmpdir(), "colophon-mutants-"));
  try {
    cpSync(join(ROOT, "packages/engine/src"), join(folder, "packages/engine/src"), { recursive: true });
    cpSync(join(ROOT, TESTS), join(folder, TESTS), { recursive: true });
    cpSync(join(ROOT, "docs/decision.md"), join(folder, "docs/decision.md"));
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
    if (!(await passes(folder))) throw new Error("The tests fail as they are.");
    const chosen = mutants().filter(({ what }) => what.includes(values.only));
    const alive: string[] = [];
    for (const { file, what, text } of chosen) {
      const own = readFileSync(join(folder, file), "utf8");
      writeFileSync(join(folder, file), text);
      if (await passes(folder)) {
        alive.push(what);
        process.stdout.write(`lives: ${what}\n`);
      }
      writeFileSync(join(folder, file), own);
    }
    process.stdout.write(`${chosen.length} mutants, ${alive.length} live\n`);
    if (alive.length > 0) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
