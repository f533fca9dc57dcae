import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccount } from "@colophon/testing/api-client.ts";
import { programFile } from "@colophon/testing/process/programs.ts";
import { SELDOM_SWEPT, ServiceProcess, serviceEnvironment } from "@colophon/testing/service-process.ts";
import { freshPicture } from "@colophon/testing/test-pictures.ts";

const COLOPHON = await programFile("colophon");
/** Opens the operator's routes of every desk's service. */
export const ADMIN_TOKEN = "cli-test-operator-token-0123456789";

/** How a command ended. */
export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A service of its own, and a user with a home folder, a token and nothing else in the environment. */
export class Desk implements AsyncDisposable {
  readonly home: string;
  readonly baseUrl: string;
  readonly token: string;
  readonly #service: ServiceProcess;

  private constructor(home: string, service: ServiceProcess, token: string) {
    this.home = home;
    this.baseUrl = service.baseUrl;
    this.token = token;
    this.#service = service;
  }

  static async open(settings: Readonly<Record<string, string>> = {}): Promise<Desk> {
    const home = await mkdtemp(join(tmpdir(), "colophon-desk-"));
    const base = serviceEnvironment(join(home, "data"), ADMIN_TOKEN);
    const environment = { ...base, ...SELDOM_SWEPT, ...settings };
    const service = await ServiceProcess.start(environment);
    const { token } = await createAccount(service.baseUrl, ADMIN_TOKEN, {
      registrations: 100,
      lookups: 400,
      sequencesEnabled: true,
    });
    return new Desk(home, service, token);
  }

  /** A token of another account with these grants. */
  async anotherToken(registrations: number, lookups: number): Promise<string> {
    return (await createAccount(this.baseUrl, ADMIN_TOKEN, { registrations, lookups })).token;
  }

  /** Starts the command; the user's home is the working directory. */
  start(args: readonly string[], environment: Readonly<Record<string, string>> = {}): ChildProcess {
    return spawn(process.execPath, [COLOPHON, ...args], {
      cwd: this.home,
      stdio: "pipe",
      env: {
        PATH: "/usr/local/bin:/usr/bin:/bin",
        HOME: this.home,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        COLOPHON_BASE_URL: this.baseUrl,
        COLOPHON_TOKEN: this.token,
        ...environment,
      },
    });
  }

  /** Runs the command to its end. */
  async run(
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    input = "",
  ): Promise<Outcome> {
    const child = this.start(args, environment);
    child.stdin?.end(input);
    return outcomeOf(child);
  }

  /** Paints new, small pictures into a folder of the user's home; answers their paths, relative to it. */
  async paint(folder: string, count: number): Promise<string[]> {
    await mkdir(join(this.home, folder), { recursive: true });
    const paths = Array.from({ length: count }, (_, at) => join(folder, `picture-${at}.jpg`));
    for (const path of paths) {
      await writeFile(join(this.home, path), await freshPicture());
    }
    return paths;
  }

  /** Has ffmpeg make a video of one of its own moving pictures, in the user's home. */
  film(path: string, source: string, seconds: number): void {
    this.#ffmpeg("-f", "lavfi", "-i", source, "-t", String(seconds), "-pix_fmt", "yuv420p", path);
  }

  /** Cuts the middle out of a video's frame, counted from 0, as a JPEG file. */
  still(video: string, frame: number, path: string): void {
    const filter = `select=eq(n\\,${frame}),crop=iw*0.8:ih*0.8`;
    this.#ffmpeg("-i", video, "-vf", filter, "-frames:v", "1", "-q:v", "4", path);
  }

  #ffmpeg(...args: readonly string[]): void {
    execFileSync("ffmpeg", ["-nostdin", "-loglevel", "error", ...args], { cwd: this.home, stdio: "pipe" });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service[Symbol.asyncDispose]();
    await rm(this.home, { recursive: true, force: true });
  }
}

/** Acts once, when a command has said a text on its standard error: a second signal would end it at once. */
export function onceSaid(child: ChildProcess, text: string, act: () => void): void {
  let said = "";
  const listen = (chunk: Buffer): void => {
    said += chunk.toString();
    if (!said.includes(text)) return;
    child.stderr?.off("data", listen);
    act();
  };
  child.stderr?.on("data", listen);
}

/** What a command printed, once it has ended. */
export async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  let out = "";
  let err = "";
  child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const [code]: (number | null)[] = await once(child, "close");
  return { code: code ?? null, out, err };
}
