import type { Command, OptionSpec } from "./command.ts";
import { aligned } from "./print.ts";

const EXIT_CODES = [
  "Exit codes: 0 done; 2 wrong usage; 3 refused by the service; 4 service not reached; 5 the answer is no (not",
  "registered, not published, not verified); 6 some files did not come through; 130 interrupted; 1 anything else.",
].join("\n");

/** Help for the whole command, or for the group of commands that starts with `words`. */
export function groupHelp(words: readonly string[], commands: readonly Command[]): string {
  const rows = commands.map((command) => [`  ${synopsis(command)}`, command.summary]);
  return [
    `Usage: ${["colophon", ...words].join(" ")} COMMAND [OPTIONS]`,
    "",
    ...aligned(rows),
    "",
    "Every command explains itself with --help.",
    EXIT_CODES,
  ].join("\n");
}

/** Help for one command. */
export function commandHelp(command: Command): string {
  const options = { ...command.options, help: { summary: "Show this" } };
  const rows = Object.entries<OptionSpec>(options).map(([name, option]) => [
    `  --${name}${option.placeholder === undefined ? "" : ` ${option.placeholder}`}`,
    option.summary,
  ]);
  return [
    `Usage: colophon ${synopsis(command)} [OPTIONS]`,
    "",
    `${command.summary}.`,
    ...(command.details === undefined ? [] : ["", command.details]),
    "",
    ...aligned(rows),
    "",
    EXIT_CODES,
  ].join("\n");
}

function synopsis(command: Command): string {
  return [...command.words, ...command.operands].join(" ");
}
