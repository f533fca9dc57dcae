import type { Command } from "./command.ts";
import { accountCommands } from "./commands/account.ts";
import { backupCommands } from "./commands/backup.ts";
import { completionOf } from "./commands/completion.ts";
import { fsck } from "./commands/fsck.ts";
import { keyRotate } from "./commands/key.ts";
import { ledgerCommands } from "./commands/ledger.ts";
import { logCommands } from "./commands/log.ts";
import { indexCommands } from "./commands/index-parts.ts";
import { inspect } from "./commands/inspect.ts";
import { library } from "./commands/library.ts";
import { login } from "./commands/login.ts";
import { lookup } from "./commands/lookup.ts";
import { originalCommands } from "./commands/original.ts";
import { record } from "./commands/record.ts";
import { recover } from "./commands/recover.ts";
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
import { commandHelp, groupHelp, type Section } from "./help.ts";
import { invocationOf } from "./invocation.ts";
import { question } from "./nearest.ts";
import { printLine } from "./print.ts";
import { shown } from "./shown.ts";

const SECTIONS: readonly Section[] = [
  {
    title: "With an account:",
    commands: [
      login,
      register,
      lookup,
      inspect,
      recover,
      library,
      record,
      verify,
      ...logCommands,
      takedown,
      ...sequenceCommands,
      stats,
      completionOf(() => COMMANDS),
    ],
  },
  {
    title: "For operators:",
    commands: [
      serve,
      ...accountCommands,
      ...tokenCommands,
      ...ledgerCommands,
      ...originalCommands,
      trustRoot,
      fsck,
      ...backupCommands,
      keyRotate,
      ...indexCommands,
      witness,
    ],
  },
];

const COMMANDS: readonly Command[] = SECTIONS.flatMap(({ commands }) => commands);

/**
 * Runs the command that `args` (without the interpreter and the script) name. Messages name arguments as `shown` does:
 * a token may have been pasted among them.
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

const HELP: readonly string[] = ["--help", "-h"];

function asksForHelp(args: readonly string[]): boolean {
  return args.some((arg) => HELP.includes(arg));
}

async function dispatch(args: readonly string[]): Promise<void> {
  const command = COMMANDS.find(({ words }) => words.every((word, at) => args[at] === word));
  if (command !== serve || asksForHelp(args)) watchOutput();
  if (command !== undefined) {
    const rest = args.slice(command.words.length);
    if (asksForHelp(rest)) return printLine(commandHelp(command));
    return await command.run(invocationOf(command, rest));
  }
  const words = args.filter((arg) => !HELP.includes(arg) && arg !== "help");
  const group = COMMANDS.filter((candidate) => words.every((word, at) => candidate.words[at] === word));
  if (group.length === 0) throw noSuchCommand(words);
  const [only] = group;
  const isCommand = only !== undefined && only.words.length === words.length;
  const sections = SECTIONS.map(({ title, commands }) => ({
    title,
    commands: commands.filter((candidate) => group.includes(candidate)),
  })).filter(({ commands }) => commands.length > 0);
  const text = isCommand ? commandHelp(only) : groupHelp(words, sections);
  if (words.length < args.length) return printLine(text);
  throw Failure.usage(text);
}

function noSuchCommand(words: readonly string[]): Failure {
  const typed = words.join(" ");
  const known = COMMANDS.flatMap((command) => [command.words.join(" "), command.words[0] ?? ""]);
  const guess = question(typed, known, "colophon ") || question(words[0] ?? "", known, "colophon ");
  return Failure.usage(`There is no command ${shown(typed)}.${guess} colophon --help lists them all.`);
}

function report(error: unknown, asJson: boolean): number {
  if (error instanceof Failure && error.refusal !== undefined && asJson) {
    process.stderr.write(`${JSON.stringify(error.refusal)}\n`);
    return error.exitCode;
  }
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return error instanceof Failure ? error.exitCode : EXIT.unexpected;
}

/**
 * A reader that has seen enough, such as `head`, is no failure and hides none: the command ends with its own exit code.
 */
function watchOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    process.stderr.write(`What the command answers cannot be written: ${error.message}\n`);
    process.exit(EXIT.unexpected);
  });
  // Where messages cannot be written, that cannot be said either.
  process.stderr.on("error", () => {});
}
