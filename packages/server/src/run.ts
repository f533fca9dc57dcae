import { settleProcessMemory } from "./custody/process-memory.ts";

/**
 * Runs the service, see `serve`. The process may replace itself first, so nothing else is loaded before that.
 *
 * @returns the exit code: 0 after a clean stop, 1 when it could not start
 */
export async function runService(environment: NodeJS.ProcessEnv): Promise<number> {
  settleProcessMemory(environment);
  const { serve } = await import("./serve.ts");
  return serve(environment);
}
