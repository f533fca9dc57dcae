import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { provideCluster } from "./process/cluster-template.ts";
import { programFile } from "./process/programs.ts";

const START_TIMEOUT_MS = 150_000;
const KEPT_OUTPUT = 20_000;

/** Environment of a service under test: a free port, its own data directory and admin token. */
export function serviceEnvironment(dataDir: string, adminToken: string): Record<string, string> {
  return {
    COLOPHON_HOST: "127.0.0.1",
    COLOPHON_PORT: "0",
    COLOPHON_DATA_DIR: dataDir,
    COLOPHON_ADMIN_TOKEN: adminToken,
    COLOPHON_SWEEP_SECONDS: "2",
  };
}

/**
 * For a service with nothing to sweep, beside `serviceEnvironment`: sweeps take more of the processor than all else
 * that a service does while nobody asks it anything.
 */
export const SELDOM_SWEPT: Readonly<Record<string, string>> = { COLOPHON_SWEEP_SECONDS: "5" };

/** A service in a process of its own, to be measured, overloaded and killed. */
export class ServiceProcess implements AsyncDisposable {
  readonly baseUrl: string;
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #output: () => string;

  private constructor(child: ChildProcess, ended: Promise<unknown>, baseUrl: string, output: () => string) {
    this.#child = child;
    this.#ended = ended;
    this.#output = output;
    this.baseUrl = baseUrl;
    this.pid = child.pid ?? 0;
  }

  /**
   * Starts a service and waits for the line that names its address. Its data directory gets a copy of a new database
   * first, when it has none. `main`: another build's, to be measured beside this one, which makes its own.
   *
   * @throws Error with what it wrote when it ends first or stays silent
   */
  static async start(environment: Readonly<Record<string, string>>, main?: string): Promise<ServiceProcess> {
    const { COLOPHON_DATA_DIR: dataDir, COLOPHON_DATABASE_URL: databaseUrl } = environment;
    if (main === undefined && dataDir !== undefined && databaseUrl === undefined) {
      await provideCluster(dataDir);
    }
    const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
    const child = spawn(process.execPath, [main ?? (await programFile("service"))], {
      env: { PATH, HOME, NODE_COMPILE_CACHE, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let written = "";
    const output = (): string => written;
    const address = Promise.withResolvers<string>();
    const listen = (chunk: Buffer): void => {
      written = (written + chunk.toString()).slice(-KEPT_OUTPUT);
      const url = /https?:\/\/[\w.[\]:-]+:\d+/.exec(written)?.[0];
      if (url !== undefined) address.resolve(url);
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    // What a process wrote may be read after it has ended: it is closed once all has been read.
    const ended = once(child, "close");
    const early = (): void => address.reject(new Error(`The service ended before it listened:\n${written}`));
    void ended.then(early, address.reject);
    const patience = setTimeout(
      () => address.reject(new Error(`The service did not listen in time:\n${written}`)),
      START_TIMEOUT_MS,
    );
    try {
      return new ServiceProcess(child, ended, await address.promise, output);
    } catch (error) {
      child.kill("SIGKILL");
      throw error;
    } finally {
      clearTimeout(patience);
    }
  }

  /** Whether the process still runs. */
  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The end of what the service wrote to its standard streams. */
  get output(): string {
    return this.#output();
  }

  /** Resident memory now, and its peak since the process started, in MiB (Linux). */
  memory(): { readonly resident: number; readonly peak: number } {
    const status = readFileSync(`/proc/${this.pid}/status`, "utf8");
    const of = (field: string): number =>
      Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
    return { resident: of("VmRSS"), peak: of("VmHWM") };
  }

  /** Sets the peak of `memory()` back to what is resident now (Linux). */
  forgetPeak(): void {
    writeFileSync(`/proc/${this.pid}/clear_refs`, "5");
  }

  /** Sends a signal and waits for the end of the process, and of its output. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.alive) this.#child.kill(signal);
    await this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end("SIGTERM");
  }
}

/** Where a database is, and as whom to reach it. */
export interface EmbeddedDatabase {
  /** The directory of the server's socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/** How to reach the embedded database under `dataDir`, as its service does. */
export function embeddedDatabase(dataDir: string): EmbeddedDatabase {
  return { host: join(dataDir, "postgres/run"), port: 5432, user: "colophon", database: "colophon" };
}

/** A database of the embedded server under `dataDir`, its service's unless named, as one of the operator's own. */
export function embeddedDatabaseUrl(dataDir: string, database = "colophon"): string {
  const { host, user } = embeddedDatabase(dataDir);
  return `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;
}

/**
 * Process id of the embedded database server under `dataDir`, null when none is there: it writes its lock file when it
 * starts, and removes it when it stops.
 */
export function postmasterIfThere(dataDir: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(join(dataDir, "postgres/cluster/postmaster.pid"), "utf8"), 10);
    return Number.isNaN(pid) ? null : pid;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** The same where one must be. @throws Error when none is there */
export function postmasterPid(dataDir: string): number {
  const pid = postmasterIfThere(dataDir);
  if (pid === null) throw new Error(`No database server runs under ${dataDir}.`);
  return pid;
}
