import { readFileSync } from "node:fs";
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import type { Command, Invocation } from "./command.ts";
import { accountCommands } from "./commands/account.ts";
import { backupCommands } from "./commands/backup.ts";
import { completionOf } from "./commands/completion.ts";
import { fsck } from "./commands/fsck.ts";
import { ledgerCommands } from "./commands/ledger.ts";
import { logCommands } from "./commands/log.ts";
import { login } from "./commands/login.ts";
import { lookup } from "./commands/lookup.ts";
import { originalCommands } from "./commands/original.ts";
import { record } from "./commands/record.ts";
import { register } from "./commands/register.ts";
import { sequenceCommands } from "./commands/sequence.ts";
import { serve } from "./commands/serve.ts";
import { stats } from "./commands/stats.ts";
import { takedown } from "./commands/takedown.ts";
import { tokenCommands } from "./commands/token.ts";
import { trustRoot } from "./commands/trust-root.ts";
import { verify } from "./commands/verify.ts";
import { witness } from "./commands/witness.ts";
import { EXIT, Failure } from "./failure.ts";
import { commandHelp, groupHelp } from "./help.ts";
import { printLine } from "./print.ts";

const COMMANDS: readonly Command[] = [
  login,
  register,
  lookup,
  record,
  verify,
  ...logCommands,
  takedown,
  ...sequenceCommands,
  stats,
  serve,
  ...accountCommands,
  ...tokenCommands,
  ...ledgerCommands,
  ...originalCommands,
  trustRoot,
  fsck,
  ...backupCommands,
  witness,
  completionOf(() => COMMANDS),
];

/**
 * Runs the command that `args` (without the interpreter and the script) name. No message repeats an argument: a token
 * may have been pasted among them.
 *
 * @returns the exit code
 */
export async function main(args: readonly string[]): Promise<number> {
  try {
    await dispatch(args);
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    return report(Failure.of(error), args.includes("--json"));
  }
}

async function dispatch(args: readonly string[]): Promise<void> {
  const command = COMMANDS.find(({ words }) => words.every((word, at) => args[at] === word));
  if (command !== undefined) {
    const rest = args.slice(command.words.length);
    if (command !== serve) process.stdout.on("error", endOnClosedPipe);
    if (rest.includes("--help")) return printLine(commandHelp(command));
    return await command.run(parse(command, rest));
  }
  if (args[0] === "--version") return printLine(version());
  const words = args.filter((arg) => arg !== "--help" && arg !== "help");
  const group = COMMANDS.filter((candidate) => words.every((word, at) => candidate.words[at] === word));
  if (group.length === 0) throw Failure.usage("There is no such command; colophon --help lists them.");
  if (words.length < args.length) return printLine(groupHelp(words, group));
  throw Failure.usage(groupHelp(words, group));
}

function parse(command: Command, args: readonly string[]): Invocation {
  const options: ParseArgsOptionsConfig = {};
  for (const [name, { placeholder, repeated = false }] of Object.entries(command.options)) {
    options[name] = { type: placeholder === undefined ? "boolean" : "string", multiple: repeated };
  }
  const { values, positionals } = parsed(args, options);
  const wantedCount = command.operands.length;
  const open = command.operands.at(-1)?.endsWith("...") === true;
  if (open ? positionals.length < wantedCount : positionals.length !== wantedCount) {
    const wanted = command.operands.length === 0 ? "no operand" : command.operands.join(" ");
    throw Failure.usage(`colophon ${command.words.join(" ")} takes ${wanted}; --help explains it.`);
  }
  return { operands: positionals, options: values };
}

function parsed(
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
    const names = Object.keys(options).map((name) => `--${name}`);
    throw Failure.usage(`An option is unknown or lacks its value; known are ${names.join(", ")}.`);
  }
}

function version(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  );
  return manifest.version;
}

function report(error: unknown, asJson: boolean): number {
  if (error instanceof Failure && error.refusal !== undefined && asJson) {
    process.stderr.write(`${JSON.stringify(error.refusal)}\n`);
    return error.exitCode;
  }
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return error instanceof Failure ? error.exitCode : EXIT.unexpected;
}

/** A reader that has seen enough, such as `head`, is no failure. */
function endOnClosedPipe(error: NodeJS.ErrnoException): void {
  process.exit(error.code === "EPIPE" ? EXIT.done : EXIT.unexpected);
}
