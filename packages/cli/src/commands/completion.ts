import { type Command, operand } from "../command.ts";
import { bashCompletion } from "../completion/bash.ts";
import { fishCompletion } from "../completion/fish.ts";
import { type Place, placesOf } from "../completion/places.ts";
import { zshCompletion } from "../completion/zsh.ts";
import { Failure } from "../failure.ts";
import { printLine } from "../print.ts";

const SHELLS: Readonly<Record<string, (places: readonly Place[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** Prints what a shell needs to complete the commands of a table, which may hold this one. */
export function completionOf(commands: () => readonly Command[]): Command {
  return {
    words: ["completion"],
    operands: [Object.keys(SHELLS).join("|")],
    summary: "Print a script that completes this command in your shell",
    details: [
      "What your shell runs when it starts:",
      "  For bash, in ~/.bashrc: source <(colophon completion bash)",
      "  For zsh, in ~/.zshrc after compinit: source <(colophon completion zsh)",
      "  For fish: colophon completion fish > ~/.config/fish/completions/colophon.fish",
    ].join("\n"),
    options: {},
    run: async (invocation) => {
      const script = SHELLS[operand(invocation, 0)];
      if (script === undefined) throw Failure.usage(`Known shells are ${Object.keys(SHELLS).join(", ")}.`);
      printLine(script(placesOf(commands())).trimEnd());
    },
  };
}
