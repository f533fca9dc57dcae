import { Failure } from "../failure.ts";

const INTERRUPT = "\u0003";
const END = "\u0004";
const BACKSPACES = ["\u0008", "\u007f"];

/** Reads one line: from a terminal after `prompt` and without echo, else from what standard input carries. */
export async function readSecret(prompt: string): Promise<string> {
  const { stdin } = process;
  const secret = stdin.isTTY ? await typed(prompt) : await piped();
  if (secret === "") throw Failure.usage("No token was given.");
  return secret;
}

async function piped(): Promise<string> {
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) text += String(chunk);
  return text.split("\n")[0]?.trim() ?? "";
}

function typed(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(prompt);
  stdin.setEncoding("utf8").setRawMode(true).resume();
  return new Promise((resolve, reject) => {
    let secret = "";
    const end = (finish: () => void): void => {
      stdin.off("data", take).setRawMode(false).pause();
      stderr.write("\n");
      finish();
    };
    const take = (text: string): void => {
      for (const character of text) {
        if (character === INTERRUPT) return end(() => reject(Failure.interrupted("Interrupted.")));
        if (character === "\r" || character === "\n" || character === END) {
          return end(() => resolve(secret.trim()));
        }
        secret = BACKSPACES.includes(character) ? secret.slice(0, -1) : secret + character;
      }
    };
    stdin.on("data", take);
  });
}
