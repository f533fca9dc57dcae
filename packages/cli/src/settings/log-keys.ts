import { parseVkey, type VerifierKey } from "@colophon/log";
import { type Invocation, type OptionSpec, textOption, textsOption } from "../command.ts";
import { Failure } from "../failure.ts";
import { bytesOf } from "../file-faults.ts";

/** The keys that a reader of a log brings. */
export const LOG_KEY_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  "log-key": { placeholder: "VKEY|FILE", summary: "The log's key, from its operator" },
  "witness-key": {
    placeholder: "VKEY|FILE",
    repeated: true,
    summary: "The key of a witness who must have seen it; repeatable",
  },
};

/** The log's key, `undefined` when none was given. @throws Failure (usage) */
export async function logKeyOption(invocation: Invocation): Promise<VerifierKey | undefined> {
  const given = textOption(invocation, "log-key");
  return given === undefined ? undefined : vkey(given, "log-key");
}

/** The keys that an option names, which may be given several times. @throws Failure (usage) */
export function vkeysOption(invocation: Invocation, option: string): Promise<VerifierKey[]> {
  return Promise.all(textsOption(invocation, option).map((given) => vkey(given, option)));
}

/** A key that is spelled out, or is the content of a file. @throws Failure (usage) */
async function vkey(given: string, option: string): Promise<VerifierKey> {
  const text = given.includes("+") ? given : (await bytesOf(given)).toString("utf8");
  try {
    return parseVkey(text.trim());
  } catch {
    throw Failure.usage(`--${option} takes a verifier key, NAME+ID+KEY, or a file with one.`);
  }
}
