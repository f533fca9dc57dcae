/**
 * The command line of a program that is started by hand. What it takes is said by the comment that its file begins
 * with.
 */
import { readFileSync } from "node:fs";
import { argv, exit, stderr, stdout } from "node:process";
import { parseArgs, type ParseArgsConfig } from "node:util";

/**
 * The options and arguments that the program was started with, as `parseArgs` of `node:util` reads them. `--help`
 * prints the file's first comment and ends the process with 0; what `config` does not know, and a value that is
 * missing, end it with 2.
 */
export function readCommandLine<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  if (argv.slice(2).includes("--help")) {
    stdout.write(firstComment(argv[1]!));
    exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return refuseCommandLine(error.message.split(". ")[0]!);
  }
}

/** Ends the process with 2, and one line that says what is wrong with the command line. */
export function refuseCommandLine(reason: string): never {
  stderr.write(`${reason}; --help says what there is.\n`);
  exit(2);
}

function firstComment(path: string): string {
  const [, comment = ""] = /^\/\*\*(.*?)\*\//s.exec(readFileSync(path, "utf8")) ?? [];
  return `${comment.replaceAll(/^ \* ?/gm, "").trim()}\n`;
}
