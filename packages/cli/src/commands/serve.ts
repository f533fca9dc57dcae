import { type Command, type Invocation, textOption } from "../command.ts";

/** The settings that have an option of their own; every other is an environment variable only. */
const VARIABLES = {
  host: "COLOPHON_HOST",
  port: "COLOPHON_PORT",
  "data-dir": "COLOPHON_DATA_DIR",
} as const;

/** Runs the service in this process until a signal ends it. */
export const serve: Command = {
  words: ["serve"],
  operands: [],
  summary: "Run the service",
  options: {
    host: { placeholder: "HOST", summary: "Listen address (COLOPHON_HOST, else 127.0.0.1)" },
    port: { placeholder: "PORT", summary: "Listen port, 0 for any free one (COLOPHON_PORT, else 8400)" },
    "data-dir": {
      placeholder: "DIR",
      summary: "Where database and keys are kept (COLOPHON_DATA_DIR, else ./data)",
    },
  },
  run: async (invocation: Invocation): Promise<void> => {
    const given = Object.entries(VARIABLES).flatMap(([option, variable]) => {
      const value = textOption(invocation, option);
      return value === undefined ? [] : [[variable, value] as const];
    });
    const { runService } = await import("@colophon/server");
    process.exitCode = await runService({ ...process.env, ...Object.fromEntries(given) });
  },
};
