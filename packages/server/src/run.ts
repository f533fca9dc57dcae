import { once } from "node:events";
import { pino } from "pino";
import { BadSetting, readConfig, readSecrets } from "./config/environment.ts";
import { type Service, startService } from "./compose.ts";
import { eraseFreedMemory } from "./custody/freed-memory.ts";
import { greet } from "./greeting.ts";

/**
 * Runs the service as the environment says until SIGTERM or SIGINT, then finishes the requests under way and stops.
 * Prints where it listens on stdout; its log goes to stderr.
 * @returns the exit code: 0 after a clean stop, 1 when it could not start
 */
export async function runService(environment: NodeJS.ProcessEnv): Promise<number> {
  eraseFreedMemory(environment);
  const log = pino(
    { name: "colophon", redact: ["*.authorization", "*.token", "*.adminToken"] },
    pino.destination({ fd: 2, sync: true }),
  );
  // Whoever read the start lines may have gone; that is no reason to stop.
  process.stdout.on("error", () => {});
  const stopped = Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);
  let service: Service;
  try {
    const config = readConfig(environment);
    const secrets = readSecrets(environment);
    service = await startService(config, secrets, log);
    await greet(service, { config, embeddedDatabase: secrets.databaseUrl === null }, process.stdout);
  } catch (error) {
    process.stderr.write(`${startFailure(error)}\n`);
    return 1;
  }
  await stopped;
  log.info("stopping: requests under way are finished");
  await service[Symbol.asyncDispose]();
  log.info("stopped");
  return 0;
}

/** One line that says why the service did not start. */
function startFailure(error: unknown): string {
  if (error instanceof BadSetting) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  return `Colophon did not start: ${message.split("\n", 1)[0] ?? ""}`;
}
