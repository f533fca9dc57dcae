import type { Command } from "../command.ts";
import { DATA_DIR_OPTION, deploymentEnvironment } from "../settings/deployment-options.ts";

/** Runs the service in this process until a signal ends it. */
export const serve: Command = {
  words: ["serve"],
  operands: [],
  summary: "Run the service",
  options: {
    host: { placeholder: "HOST", summary: "Listen address (COLOPHON_HOST, else 127.0.0.1)" },
    port: { placeholder: "PORT", summary: "Listen port, 0 for any free one (COLOPHON_PORT, else 8400)" },
    ...DATA_DIR_OPTION,
  },
  run: async (invocation) => {
    const { runService } = await import("@colophon/server");
    process.exitCode = await runService(deploymentEnvironment(invocation));
  },
};
