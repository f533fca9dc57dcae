import { type Invocation, numberOption, type OptionSpec, textOption } from "../command.ts";

/** The option of every command that works on a deployment itself. */
export const DATA_DIR_OPTION: Readonly<Record<string, OptionSpec>> = {
  "data-dir": {
    placeholder: "DIR",
    summary: "Where database and keys are kept (COLOPHON_DATA_DIR, else ./data)",
  },
};

/** The settings that have an option of their own; every other is an environment variable only. */
const VARIABLES = {
  host: "COLOPHON_HOST",
  port: "COLOPHON_PORT",
  "data-dir": "COLOPHON_DATA_DIR",
} as const;

/** The environment of the deployment that the command line names: what is given there is in the place of its variable. */
export function deploymentEnvironment(invocation: Invocation): NodeJS.ProcessEnv {
  const given = Object.entries(VARIABLES).flatMap(([option, variable]) => {
    const value =
      option === "port" ? numberOption(invocation, option)?.toString() : textOption(invocation, option);
    return value === undefined ? [] : [[variable, value] as const];
  });
  return { ...process.env, ...Object.fromEntries(given) };
}
