/**
 * Wraps the prose of the repository's Markdown at 110 columns; code, tables and headings stay as they are.
 *
 *     node tools/wrap-prose.ts [--check]
 *
 * `--check` writes nothing, names the files that would change, and ends with 1 if there are any.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readCommandLine } from "@colophon/testing/command-line.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const WIDTH = 110;

/** A word with the code and the link targets in it, which are not broken. */
const WORD = /(?:`[^`]*`|\]\([^)]*\)|\S)+/g;
const FENCE = /^\s*(```|~~~)/;
/** Lines that are no prose: headings, tables, HTML, definitions of links, rules. */
const FIXED = /^\s*(#{1,6} |\||<|\[[^\]]+\]: |(-{3,}|\*{3,})\s*$)/;
/** What a paragraph of a list or a quotation begins with. */
const MARKER = /^(\s*)((?:[-*+]|\d+[.)]) +|> ?)?/;
/** A word that would begin a list, a quotation or a heading at the beginning of a line. */
const TELLING = /^([-*+]|\d+[.)]|>.*|#+|\|.*)$/;

interface Paragraph {
  readonly first: string;
  readonly rest: string;
  readonly words: string[];
}

/** The text with its prose wrapped; wrapping it again changes nothing. */
export function wrapProse(text: string): string {
  const out: string[] = [];
  let paragraph: Paragraph | null = null;
  let fence: string | null = null;
  const end = (): void => {
    if (paragraph !== null) out.push(...wrapped(paragraph));
    paragraph = null;
  };
  for (const line of text.split("\n")) {
    const [, mark] = FENCE.exec(line) ?? [];
    if (fence !== null || mark !== undefined) {
      end();
      out.push(line);
      if (fence === null) fence = mark ?? null;
      else if (mark === fence) fence = null;
      continue;
    }
    const isCode: boolean = paragraph === null && line.startsWith("    ") && !isWithinList(out);
    if (line.trim() === "" || isCode || FIXED.test(line)) {
      end();
      out.push(line);
      continue;
    }
    const [begin = "", indent = "", marker = ""] = MARKER.exec(line) ?? [];
    if (paragraph === null || (marker !== "" && !(marker.startsWith(">") && paragraph.rest.endsWith("> ")))) {
      end();
      const rest = marker.startsWith(">") ? `${indent}> ` : indent + " ".repeat(marker.length);
      paragraph = { first: begin, rest, words: [] };
    }
    paragraph.words.push(...(line.slice(begin.length).match(WORD) ?? []));
    if (/( {2}|\\)$/.test(line)) {
      if (line.endsWith("  ")) paragraph.words.push(`${paragraph.words.pop() ?? ""}  `);
      end();
    }
  }
  end();
  return out.join("\n");
}

/** Whether what comes after these lines may belong to an item of a list. */
function isWithinList(lines: readonly string[]): boolean {
  const last = lines.findLast((line) => line.trim() !== "" && !/^ {2,}/.test(line));
  return last !== undefined && /^([-*+]|\d+[.)]) /.test(last);
}

function wrapped({ first, rest, words }: Paragraph): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of words) {
    if (isEmpty || TELLING.test(word) || line.length + 1 + word.length <= WIDTH) {
      line += isEmpty ? word : ` ${word}`;
    } else {
      lines.push(line);
      line = rest + word;
    }
    isEmpty = false;
  }
  return [...lines, line];
}

function main(isCheck: boolean): void {
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
    cwd: ROOT,
    encoding: "utf8",
  })
    .trim()
    .split("\n");
  for (const file of files) {
    const text = readFileSync(ROOT + file, "utf8");
    const prose = wrapProse(text);
    if (prose === text) continue;
    if (!isCheck) writeFileSync(ROOT + file, prose);
    else process.exitCode = 1;
    process.stdout.write(`${file} ${isCheck ? "is not wrapped: run npm run format" : "wrapped"}\n`);
  }
}

if (import.meta.main) {
  const { values } = readCommandLine({ options: { check: { type: "boolean", default: false } } });
  main(values.check);
}
