import type { Logger } from "pino";
import { readConfig, readSecrets } from "./config/environment.ts";
import { type Service, startService } from "./compose.ts";
import { messageOf } from "./error-message.ts";
import { greet } from "./greeting.ts";
import { openLog } from "./log.ts";
import { startFailure } from "./start-failure.ts";

/**
 * How long a stop waits for requests under way, and for everything. A database takes half a minute more at the worst.
 */
const FINISHING_MS = 30_000;
const GIVING_UP_MS = 40_000;
/** Signals this close together ask once. */
const ONE_REQUEST_MS = 1_000;

/**
 * Runs the service as the environment says until SIGTERM or SIGINT, then says so to load balancers for as long as it is
 * set to, finishes the requests under way and stops; asked again, it goes one step further. Prints where it listens on
 * stdout; its log goes to stderr.
 * @returns the exit code: 0 after a clean stop, 1 when it could not start
 */
export async function serve(environment: NodeJS.ProcessEnv): Promise<number> {
  // The reader of the start lines may have gone; that is no reason to stop.
  process.stdout.on("error", () => {});
  const signals = new StopSignals();
  let started: Started;
  try {
    started = await startAndGreet(environment);
  } catch (error) {
    process.stderr.write(`${startFailure(error)}\n`);
    return 1;
  }
  const { service, log, drainSeconds } = started;
  await signals.first;
  if (drainSeconds > 0) {
    log.info(`stopping: /ready says so for ${drainSeconds} s, and everything is answered meanwhile`);
    service.announceStop();
    await signals.another(drainSeconds * 1_000);
  }
  log.info("stopping: requests under way are finished");
  signals.onAnother = () => {
    log.warn("asked to stop again: requests under way are cut off");
    service.cutOff();
  };
  return stop(service, log);
}

interface Started {
  readonly service: Service;
  readonly log: Logger;
  readonly drainSeconds: number;
}

/** Starts the service and says where it listens. Where either fails, nothing stays behind. */
async function startAndGreet(environment: NodeJS.ProcessEnv): Promise<Started> {
  const config = readConfig(environment);
  const log = openLog(config.logLevel, process.stdout.isTTY);
  const secrets = readSecrets(environment);
  await using starting = new AsyncDisposableStack();
  const service = starting.use(await startService(config, secrets, log));
  const [embeddedDatabase, keepsAdminToken] = [secrets.databaseUrl === null, secrets.adminToken === null];
  await greet(service, { config, embeddedDatabase, keepsAdminToken }, process.stdout);
  starting.move();
  return { service, log, drainSeconds: config.drainSeconds };
}

/** SIGTERM and SIGINT. None of them ends the process by itself: its database would stay behind. */
class StopSignals {
  readonly first: Promise<void>;
  /** During the start nothing is to be finished: the next start takes up what this one leaves. */
  onAnother: () => void = () => process.exit(1);

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.first = promise;
    let heardAt: number | null = null;
    const hear = (): void => {
      heardAt ??= performance.now();
      resolve();
      // Of one Ctrl-C a process may hear twice, from the terminal and from the program that started it.
      if (performance.now() - heardAt > ONE_REQUEST_MS) this.onAnother();
    };
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, hear);
  }

  /** Waits so many milliseconds, or until the process is asked again. */
  async another(milliseconds: number): Promise<void> {
    const asked = Promise.withResolvers<void>();
    this.onAnother = asked.resolve;
    const timer = setTimeout(asked.resolve, milliseconds);
    await asked.promise;
    clearTimeout(timer);
  }
}

/**
 * Stops the service within its grace time, whatever its requests, its disk or its database do.
 * @returns the exit code
 */
async function stop(service: Service, log: Logger): Promise<number> {
  const cutOff = setTimeout(() => {
    log.warn("requests are still under way: they are cut off");
    service.cutOff();
  }, FINISHING_MS).unref();
  const giveUp = setTimeout(() => {
    log.error("the service does not stop: its database is stopped, and the process ended");
    void service
      .stopDatabase()
      .catch((error: unknown) => log.error({ reason: messageOf(error) }, "the database was not stopped"))
      .finally(() => process.exit(1));
  }, GIVING_UP_MS).unref();
  try {
    await service[Symbol.asyncDispose]();
    log.info("stopped");
    return 0;
  } catch (error) {
    log.error({ reason: messageOf(error) }, "stopped, but not in order");
    return 1;
  } finally {
    clearTimeout(cutOff);
    clearTimeout(giveUp);
  }
}
