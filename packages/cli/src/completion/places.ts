import type { Command } from "../command.ts";

/** What may stand at one place of the command line: after the words of a command, or of a group of commands. */
export interface Place {
  /** For example `account create`; empty right after `colophon`. */
  readonly path: string;
  /** Words that lead on from here. */
  readonly words: readonly Choice[];
  /** Whether a file or a folder may stand here. */
  readonly files: boolean;
  readonly options: readonly CompletedOption[];
}

/** Something to choose, and what it is. */
export interface Choice {
  readonly name: string;
  readonly summary: string;
}

/** An option: a switch, or what its value is. */
export interface CompletedOption extends Choice {
  readonly value: "none" | "file" | "text";
}

const HELP: CompletedOption = { name: "help", summary: "Show this", value: "none" };
const VERSION: CompletedOption = { name: "version", summary: "Show the version", value: "none" };
/** Names of operands and values that stand for something in the file system. */
const FILE_NAME = /FILE|FOLDER|PATH|DIR|VIDEO|\.pem|\.json/;
/** An operand whose values are spelled out, such as `bash|zsh|fish`. */
const SPELLED_OUT = /^[a-z]+(\|[a-z]+)*$/;

/** Every place of a table of commands; the one that the command line starts with comes first. */
export function placesOf(commands: readonly Command[]): Place[] {
  const groups = new Set(commands.flatMap(({ words }) => words.map((_, at) => words.slice(0, at).join(" "))));
  return [...[...groups].map((path) => groupPlace(path, commands)), ...commands.map(commandPlace)];
}

function groupPlace(path: string, commands: readonly Command[]): Place {
  const depth = path === "" ? 0 : path.split(" ").length;
  const below = commands.filter(({ words }) => words.slice(0, depth).join(" ") === path);
  const words = new Map<string, string>();
  for (const command of below) {
    const name = command.words[depth] ?? "";
    const isCommand = command.words.length === depth + 1;
    const others = below.filter((other) => other.words[depth] === name).map((other) => other.words.at(-1));
    words.set(name, isCommand ? command.summary : others.join(", "));
  }
  return {
    path,
    words: Array.from(words, ([name, summary]) => ({ name, summary })),
    files: false,
    options: path === "" ? [HELP, VERSION] : [HELP],
  };
}

function commandPlace({ words, operands, options }: Command): Place {
  const spelledOut = operands.filter((operand) => SPELLED_OUT.test(operand));
  return {
    path: words.join(" "),
    words: spelledOut.flatMap((operand) => operand.split("|")).map((name) => ({ name, summary: name })),
    files: operands.some((operand) => FILE_NAME.test(operand)),
    options: [
      ...Object.entries(options).map(([name, { placeholder, summary }]): CompletedOption => {
        if (placeholder === undefined) return { name, summary, value: "none" };
        return { name, summary, value: FILE_NAME.test(placeholder) ? "file" : "text" };
      }),
      HELP,
    ],
  };
}

/** `path` and `--option` of every option whose value is of a kind, as the scripts compare them. */
export function optionsWith(value: "file" | "text", places: readonly Place[]): string[] {
  return places.flatMap(({ path, options }) =>
    options.filter((option) => option.value === value).map(({ name }) => `${path} --${name}`),
  );
}

/** A text as one word of any of the shells. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
