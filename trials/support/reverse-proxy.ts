import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const PACKAGING = fileURLToPath(new URL("../../packaging/", import.meta.url));
const START_MS = 20_000;

/** The proxies that `packaging` has a configuration for. */
export const PROXIES = ["nginx", "caddy"] as const;
export type ProxyKind = (typeof PROXIES)[number];

/**
 * A reverse proxy of the machine's before two processes, configured as shipped, with a certificate of an authority of
 * its own for localhost.
 */
export class ReverseProxy implements AsyncDisposable {
  readonly port: number;
  /** Of the authority, in PEM. */
  readonly authority: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number, authority: string) {
    this.#child = child;
    this.port = port;
    this.authority = authority;
  }

  /**
   * @param folder a new one, for its files
   * @param ports where the two processes listen
   */
  static async start(
    kind: ProxyKind,
    folder: string,
    ports: readonly [number, number],
  ): Promise<ReverseProxy> {
    const authority = certificate(folder);
    const port = await freePort();
    const file = join(folder, "proxy.conf");
    const arrange = kind === "nginx" ? nginx : caddy;
    await writeFile(file, await arrange(folder, port, ports));
    const args =
      kind === "nginx" ? ["-p", folder, "-c", file] : ["run", "--adapter", "caddyfile", "--config", file];
    const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const child = spawn(kind, args, { stdio: ["ignore", "inherit", "inherit"], env });
    const proxy = new ReverseProxy(child, port, authority);
    for (const deadline = performance.now() + START_MS; !(await answers(port)); await sleep(50)) {
      if (child.exitCode === null && performance.now() < deadline) continue;
      await proxy[Symbol.asyncDispose]();
      throw new Error(`${kind} does not start.`);
    }
    return proxy;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    this.#child.kill("SIGTERM");
    await once(this.#child, "exit");
  }
}

/** A port of this machine that is free at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function nginx(
  folder: string,
  port: number,
  [first, second]: readonly [number, number],
): Promise<string> {
  const shipped = (await readFile(join(PACKAGING, "nginx/colophon.conf"), "utf8"))
    .replace(":8400 ", `:${first} `)
    .replace(":8401 ", `:${second} `)
    .replace("listen 443", `listen 127.0.0.1:${port}`)
    .replaceAll("/etc/colophon/tls/", `${folder}/`);
  return `daemon off;\npid ${folder}/pid;\nerror_log stderr error;\nevents {}\nhttp {\naccess_log off;\n${shipped}\n}\n`;
}

async function caddy(
  folder: string,
  port: number,
  [first, second]: readonly [number, number],
): Promise<string> {
  const shipped = (await readFile(join(PACKAGING, "caddy/Caddyfile"), "utf8"))
    .replace(":8400 ", `:${first} `)
    .replace(":8401 ", `:${second} `)
    .replace(
      "registry.example.org {",
      `https://localhost:${port} {\n\ttls ${folder}/certificate.pem ${folder}/key.pem`,
    );
  return `{\n\tadmin off\n\tauto_https disable_redirects\n\tlog {\n\t\tlevel ERROR\n\t}\n}\n${shipped}`;
}

/** Makes an authority, and a certificate of it for localhost. @returns the authority's certificate */
function certificate(folder: string): string {
  const openssl = (line: string): string =>
    String(execFileSync("openssl", line.split(" "), { cwd: folder, stdio: "pipe" }));
  const key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
  openssl(`req -x509 ${key} -keyout ca.key -out ca.pem -subj /CN=trial -days 2`);
  openssl(
    `req ${key} -keyout key.pem -out request.pem -subj /CN=localhost -addext subjectAltName=DNS:localhost`,
  );
  openssl(
    "x509 -req -in request.pem -CA ca.pem -CAkey ca.key -out certificate.pem -days 2 -copy_extensions copy",
  );
  return openssl("x509 -in ca.pem");
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
