import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { codeBlocks } from "@colophon/testing/code-blocks.ts";
import { documents, ROOT } from "./documents.ts";

const LANGUAGES = ["sh", "bash", "js", "ts"];

/** Which test runs the commands and programs of which documents. */
const RUN_BY: readonly [documents: RegExp, test: string][] = [
  [/^README\.md$/, "test/readme.test.ts"],
  [/^docs\/(tutorial|custody)\.md$/, "test/readme.test.ts"],
  [/^docs\/how-to\//, "packages/cli/test/how-to.test.ts"],
  [/^packages\/(client|contract|formats|log)\/README\.md$/, "test/packages.test.ts"],
];

/** Words that CONTRIBUTING.md, which names them, rules out. */
const RULED_OUT = /\b(anew|whoever|besides|farther)\b/gi;

/** How many blocks of a document no test runs as they stand, and why not. */
const NOT_RUN: Readonly<Record<string, { blocks: number; why: string }>> = {
  "CONTRIBUTING.md": { blocks: 1, why: "installing and testing are what the run of the tests is part of" },
  "packages/cli/README.md": {
    blocks: 1,
    why: "test/packages.test.ts installs the packed command into a project and runs it there",
  },
  "docs/operations.md": {
    blocks: 1,
    why: "packages/server/test/store/index-parts.test.ts runs both with three servers",
  },
};

const pages = await documents();

it("every command and program in the documents is run by a test", () => {
  const notRun = [...pages].flatMap(([path, text]) => {
    const blocks = codeBlocks(text).filter(({ language }) => LANGUAGES.includes(language)).length;
    return blocks === 0 || RUN_BY.some(([named]) => named.test(path)) ? [] : [[path, blocks] as const];
  });
  const excepted = Object.entries(NOT_RUN).map(([path, { blocks }]) => [path, blocks]);
  expect(Object.fromEntries(notRun)).toEqual(Object.fromEntries(excepted));
  for (const [, test] of RUN_BY) expect(existsSync(join(ROOT, test))).toBe(true);
});

it("every command that the prose names is one", () => {
  const help = execFileSync(process.execPath, [
    join(ROOT, "packages/cli/bin/colophon.js"),
    "--help",
  ]).toString();
  // A line of it: words, operands, and after two spaces what the command does.
  const commands = help.split("\n").flatMap((line) => {
    const synopsis = /^ {2}(\S+(?: \S+)*)/.exec(line)?.[1];
    const words = synopsis?.split(" ").filter((word) => /^[a-z-]+$/.test(word));
    return words === undefined ? [] : [words.join(" ")];
  });
  const groups = commands.map((command) => command.split(" ")[0] ?? "");
  const isKnown = (words: string): boolean =>
    words === "" ||
    groups.includes(words) ||
    commands.some((command) => `${words} `.startsWith(`${command} `));
  const strays: string[] = [];
  for (const [path, text] of pages) {
    // The vectors name keys, not commands.
    if (path.startsWith("vectors/")) continue;
    const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "");
    for (const [, said = ""] of prose.matchAll(/`(?:npx )?colophon(?= )([^`]*)`/g)) {
      const words = /^(?: [a-z]+(?:-[a-z]+)*(?![a-z.|=]))*/.exec(said)?.[0].trim() ?? "";
      if (!isKnown(words)) strays.push(`${path}: colophon ${words}`);
    }
  }
  expect(strays).toEqual([]);
});

/** The anchors that a page's headings have where it is read. */
function anchorsOf(markdown: string): Set<string> {
  const headings = markdown.matchAll(/^#+ +(.+)$/gm);
  return new Set(
    Array.from(headings, ([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

it("every link to a file or a heading leads there", () => {
  const broken: string[] = [];
  for (const [path, text] of pages) {
    const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "").replaceAll(/`[^`]*`/g, "");
    for (const [, link = ""] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [file = "", anchor] = link.split("#");
      const target = file === "" ? path : join(dirname(path), file);
      const page = pages.get(target);
      const found = existsSync(join(ROOT, target));
      const reached = anchor === undefined || page === undefined || anchorsOf(page).has(anchor);
      if (!found || !reached) broken.push(`${path}: ${link}`);
    }
  }
  expect(broken).toEqual([]);
});

it("no document has a word that is ruled out", () => {
  const strays = [...pages].flatMap(([path, text]) =>
    path === "CONTRIBUTING.md" ? [] : Array.from(text.matchAll(RULED_OUT), ([word]) => `${path}: ${word}`),
  );
  expect(strays).toEqual([]);
});
