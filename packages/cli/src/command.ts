import { Failure } from "./failure.ts";
import { shown } from "./shown.ts";

/** An option of a command. `placeholder` names its value; without one it is a switch. */
export interface OptionSpec {
  readonly placeholder?: string;
  /** It may be given several times. */
  readonly repeated?: true;
  readonly summary: string;
}

/** What was typed after the command's words. */
export interface Invocation {
  readonly operands: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
}

/** One command: everything its help says and what it does. */
export interface Command {
  /** For example `["account", "create"]`. */
  readonly words: readonly string[];
  /** Names of the operands, all required; a last one that ends in `...` stands for one or more. */
  readonly operands: readonly string[];
  readonly summary: string;
  /** What its help says beyond the summary. */
  readonly details?: string;
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly run: (invocation: Invocation) => Promise<void>;
}

/** The text of option `name`, `undefined` when it was not given. */
export function textOption({ options }: Invocation, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

/** The texts of option `name`, which may be given several times. */
export function textsOption({ options }: Invocation, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? value : [];
}

/** The whole number of option `name`, `undefined` when it was not given. @throws Failure (usage) */
export function numberOption(invocation: Invocation, name: string): number | undefined {
  const text = textOption(invocation, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw Failure.usage(`--${name} takes a whole number, not ${shown(text)}.`);
  }
  return value;
}

/** The switch `name`: `--name` is true, `--no-name` false, `undefined` when neither was given. */
export function switchOption({ options }: Invocation, name: string): boolean | undefined {
  const value = options[name];
  return typeof value === "boolean" ? value : undefined;
}

/** The operand at `index`; the caller of a command has made sure that it is there. */
export function operand({ operands }: Invocation, index: number): string {
  return operands[index] ?? "";
}
