import { type Invocation, numberOption, type OptionSpec, textOption } from "../command.ts";

/** The option of every command that works on a deployment itself. */
export const DATA_DIR_OPTION: Readonly<Record<string, OptionSpec>> = {
  "data-dir": {
    placeholder: "DIR",
    summary: "Where database and keys are kept (COLOPHON_DATA_DIR, else ./data)",
  },
};

/** The settings that have an option of their own, and how that is read; every other is an environment variable only. */
const SETTINGS = {
  host: { variable: "COLOPHON_HOST", read: textOption },
  port: { variable: "COLOPHON_PORT", read: numberOption },
  "data-dir": { variable: "COLOPHON_DATA_DIR", read: textOption },
} as const;

/**
 * The environment of the deployment that the command line names: what is given there is in the place of its variable.
 */
export function deploymentEnvironment(invocation: Invocation): NodeJS.ProcessEnv {
  const given = Object.entries(SETTINGS).flatMap(([option, { variable, read }]) => {
    const value = read(invocation, option);
    return value === undefined ? [] : [[variable, String(value)] as const];
  });
  return { ...process.env, ...Object.fromEntries(given) };
}
