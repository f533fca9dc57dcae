import { execFile, type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const START_MS = 150_000;
const KEPT_OUTPUT = 20_000;

/** The command as an operator has it: installed from packed tarballs, on the Node of the machine. */
export class InstalledColophon {
  readonly #command: string;
  readonly #environment: Readonly<Record<string, string>>;

  private constructor(prefix: string) {
    this.#command = join(prefix, "bin/colophon");
    const { HOME = prefix } = process.env;
    this.#environment = { PATH: machinePath(), HOME, XDG_CACHE_HOME: join(prefix, "cache") };
  }

  /** @param packages the folder of the tarballs */
  static async install(packages: string, prefix: string): Promise<InstalledColophon> {
    const tarballs = (await readdir(packages)).filter((name) => name.endsWith(".tgz"));
    const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", prefix];
    await run("npm", ["install", "--global", ...options, ...tarballs.map((name) => join(packages, name))], {
      env: { ...process.env, PATH: machinePath() },
    });
    return new InstalledColophon(prefix);
  }

  /** Runs a command to its end. @throws Error with what it said when its exit code is not 0 */
  async run(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<string> {
    const env = { ...this.#environment, ...environment };
    try {
      return (await run(this.#command, args, { env })).stdout;
    } catch (error) {
      const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
      throw new Error(`colophon ${args.join(" ")}: ${stdout}${stderr}`, { cause: error });
    }
  }

  /** Starts `colophon serve` and waits for its address. */
  async serve(environment: Readonly<Record<string, string>>): Promise<InstalledService> {
    const child = spawn(this.#command, ["serve", "--port", "0"], {
      env: { ...this.#environment, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    return InstalledService.listening(child);
  }
}

/** A running `colophon serve`. */
export class InstalledService implements AsyncDisposable {
  readonly baseUrl: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, baseUrl: string) {
    this.#child = child;
    this.baseUrl = baseUrl;
  }

  static async listening(child: ChildProcess): Promise<InstalledService> {
    let said = "";
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const hear = (chunk: Buffer): void => {
      said = (said + chunk.toString()).slice(-KEPT_OUTPUT);
      const [, url] = /listens at (\S+)\n/.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("exit", () => reject(new Error(`The service ended:\n${said}`)));
    const patience = setTimeout(
      () => reject(new Error(`The service did not listen in time:\n${said}`)),
      START_MS,
    );
    try {
      return new InstalledService(child, await promise);
    } catch (error) {
      child.kill("SIGKILL");
      throw error;
    } finally {
      clearTimeout(patience);
    }
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill("SIGTERM");
    await once(this.#child, "exit");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** The PATH without what a checkout puts there; all of it where the machine has no Node of its own. */
function machinePath(): string {
  const { PATH = "" } = process.env;
  const folders = PATH.split(delimiter).filter((folder) => !folder.includes("node_modules"));
  return folders.some((folder) => existsSync(join(folder, "node"))) ? folders.join(delimiter) : PATH;
}
