import type { Command, OptionSpec } from "./command.ts";

const EXIT_CODES =
  "Exit codes: 0 done; 2 wrong usage; 3 refused by the service; 4 service not reached; 5 the answer is no (not registered, not published, not verified); 6 some files did not come through; 130 interrupted; 1 anything else.";

/** Longest name that has its explanation beside it; a longer one has it below. */
const NAME_COLUMNS = 30;
/** Lines of a wide terminal, or of none at all, end here. */
const MOST_COLUMNS = 100;
const FEWEST_COLUMNS = 40;

/** Commands that belong together, under a title. */
export interface Section {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** Help for the whole command, or for the group of commands that starts with `words`. */
export function groupHelp(words: readonly string[], sections: readonly Section[]): string {
  const lists = sections.flatMap(({ title, commands }) => [
    ...(sections.length > 1 ? [title] : []),
    ...commands.flatMap((command) => explained(synopsis(command), command.summary)),
    "",
  ]);
  return [
    `Usage: ${["colophon", ...words].join(" ")} COMMAND [OPTIONS]`,
    "",
    ...lists,
    "Every command explains itself with --help.",
    ...wrapped(EXIT_CODES),
  ].join("\n");
}

/** Help for one command. */
export function commandHelp(command: Command): string {
  const options = { ...command.options, help: { summary: "Show this" } };
  const rows = Object.entries<OptionSpec>(options).flatMap(([name, option]) =>
    explained(`--${name}${option.placeholder === undefined ? "" : ` ${option.placeholder}`}`, option.summary),
  );
  return [
    `Usage: colophon ${synopsis(command)} [OPTIONS]`,
    "",
    ...wrapped(`${command.summary}.`),
    ...(command.details === undefined ? [] : ["", ...wrapped(command.details)]),
    "",
    ...rows,
    "",
    ...wrapped(EXIT_CODES),
  ].join("\n");
}

function synopsis(command: Command): string {
  return [...command.words, ...command.operands].join(" ");
}

/** A name, and beside it or below it what it means. */
function explained(name: string, summary: string): string[] {
  const indent = NAME_COLUMNS + 4;
  const [first = "", ...others] = wrapped(summary, indent).map((line) => " ".repeat(indent) + line);
  return name.length > NAME_COLUMNS
    ? [`  ${name}`, first, ...others]
    : [`  ${name}`.padEnd(indent) + first.trimStart(), ...others];
}

/**
 * A text in lines that the terminal shows whole, each `indent` columns short. Lines of its own that are set in stay
 * lines.
 */
function wrapped(text: string, indent = 0): string[] {
  const columns = Math.max(FEWEST_COLUMNS, Math.min(process.stdout.columns ?? MOST_COLUMNS, MOST_COLUMNS));
  const lines: string[] = [];
  for (const paragraph of text.replaceAll(/\n(?! )/g, " ").split("\n")) {
    let line = "";
    for (const word of paragraph.split(/(?<=\S) /)) {
      const longer = line === "" ? word : `${line} ${word}`;
      if (line !== "" && longer.length > columns - indent) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    lines.push(line);
  }
  return lines;
}
