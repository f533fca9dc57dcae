import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../packages/server/src/main.ts", import.meta.url));
const ADMIN_TOKEN = "conformance-operator-token-0123456789";

/** A running service under test. */
export interface Deployment extends AsyncDisposable {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly adminToken: string;
}

/**
 * The service that the environment names with COLOPHON_CONFORMANCE_URL and COLOPHON_CONFORMANCE_ADMIN_TOKEN, or
 * one started for the time of the tests.
 */
export async function deploymentUnderTest(): Promise<Deployment> {
  const baseUrl = process.env["COLOPHON_CONFORMANCE_URL"];
  const adminToken = process.env["COLOPHON_CONFORMANCE_ADMIN_TOKEN"];
  if (baseUrl === undefined || adminToken === undefined) return startDeployment({});
  return { baseUrl: baseUrl.replace(/\/$/, ""), adminToken, [Symbol.asyncDispose]: async () => {} };
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("A TCP server has a port.");
  return address.port;
}

/** Starts the service of this repository on a free port, with a data directory of its own and these settings. */
export async function startDeployment(settings: Readonly<Record<string, string>>): Promise<Deployment> {
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-conformance-"));
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("COLOPHON_"));
  const service = spawn(process.execPath, [MAIN], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...Object.fromEntries(inherited),
      COLOPHON_PORT: "0",
      COLOPHON_DATA_DIR: dataDir,
      COLOPHON_ADMIN_TOKEN: ADMIN_TOKEN,
      ...settings,
    },
  });
  // A hook that runs out of time never gets to stop what it started.
  const kill = (): boolean => service.kill("SIGTERM");
  process.once("exit", kill);
  const stop = async (): Promise<void> => {
    process.off("exit", kill);
    if (service.exitCode === null && service.signalCode === null) {
      service.kill("SIGTERM");
      await once(service, "exit");
    }
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const announced = await announcedAddress(service);
    const port = settings["COLOPHON_PORT"];
    const baseUrl = port === undefined ? announced : `http://127.0.0.1:${port}`;
    return { baseUrl, adminToken: ADMIN_TOKEN, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Where the service says it is reached. @throws Error with what it said when it stopped instead */
function announcedAddress(service: ChildProcess): Promise<string> {
  const said: string[] = [];
  return new Promise((resolve, reject) => {
    service.stdout?.on("data", (chunk: Buffer) => {
      said.push(chunk.toString());
      const [, address] = /listens at (https?:\/\/\S+)/.exec(said.join("")) ?? [];
      if (address !== undefined) resolve(address);
    });
    service.stderr?.on("data", (chunk: Buffer) => said.push(chunk.toString()));
    service.once("exit", () =>
      reject(new Error(`The service stopped before it listened:\n${said.join("")}`)),
    );
  });
}
