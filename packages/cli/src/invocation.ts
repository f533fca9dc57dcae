import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import type { Command, Invocation } from "./command.ts";
import { Failure } from "./failure.ts";
import { question } from "./nearest.ts";
import { shown } from "./shown.ts";

/** What was typed after the words of a command. @throws Failure (usage) where the command takes something else */
export function invocationOf(command: Command, args: readonly string[]): Invocation {
  const options: ParseArgsOptionsConfig = {};
  for (const [name, { placeholder, repeated = false }] of Object.entries(command.options)) {
    options[name] = { type: placeholder === undefined ? "boolean" : "string", multiple: repeated };
  }
  const { values, positionals } = parsed(command, args, options);
  assertOperands(command, positionals);
  return { operands: positionals, options: values };
}

function assertOperands({ words, operands }: Command, given: readonly string[]): void {
  const isOpen = operands.at(-1)?.endsWith("...") === true;
  if (isOpen ? given.length >= operands.length : given.length === operands.length) return;
  const wanted = operands.length === 0 ? "no operand" : operands.join(" ");
  const surplus = given[operands.length];
  const tooMany = surplus === undefined ? "" : `, and ${shown(surplus)} is one too many`;
  throw Failure.usage(`colophon ${words.join(" ")} takes ${wanted}${tooMany}; --help explains it.`);
}

function parsed(
  command: Command,
  args: readonly string[],
  options: ParseArgsOptionsConfig,
): { values: Invocation["options"]; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      allowNegative: true,
    });
    const texts = Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(String) : value,
    ]);
    return { values: Object.fromEntries(texts), positionals };
  } catch {
    throw Failure.usage(
      `${whatIsWrong(command, args, options)} colophon ${command.words.join(" ")} --help explains it.`,
    );
  }
}

/** The first option that the command does not have, or that has a value too few or too many. */
function whatIsWrong(command: Command, args: readonly string[], options: ParseArgsOptionsConfig): string {
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowNegative: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { name, rawName, value, inlineValue } = token;
    const placeholder = command.options[name]?.placeholder;
    if (options[name] === undefined) {
      const guess = question(name, Object.keys(options), "--");
      return `colophon ${command.words.join(" ")} has no option ${shown(rawName)}.${guess}`;
    }
    if (placeholder === undefined && value !== undefined) return `--${name} takes no value.`;
    const lacksValue = value === undefined || (!inlineValue && value.startsWith("-"));
    if (placeholder !== undefined && lacksValue) return `--${name} lacks its value, ${placeholder}.`;
  }
  return "The options cannot be read.";
}
