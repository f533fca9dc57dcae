import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createConnection, createServer, type Server } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { TLSSocket } from "node:tls";

/**
 * Encrypts the way to a PostgreSQL that listens on a socket alone, as PostgreSQL does: asked first, in the clear,
 * whether it will.
 */
export class TlsFront implements AsyncDisposable {
  readonly #server: Server;
  /** PEM files: of the certificate for localhost, which is its own CA, and of one that has nothing to do with it. */
  readonly authority: string;
  readonly otherAuthority: string;

  private constructor(server: Server, folder: string) {
    this.#server = server;
    this.authority = join(folder, "own.pem");
    this.otherAuthority = join(folder, "other.pem");
  }

  /** @param folder where its files are made */
  static async before(socketPath: string, folder: string): Promise<TlsFront> {
    const make = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2";
    for (const name of ["own", "other"]) {
      const files = `-keyout ${name}.key -out ${name}.pem`;
      const line = `${make} ${files} -subj /CN=localhost -addext subjectAltName=DNS:localhost`;
      execFileSync("openssl", line.split(" "), { cwd: folder, stdio: "pipe" });
    }
    const own = (ending: string): Buffer => readFileSync(join(folder, `own.${ending}`));
    const server = createServer((client) => {
      client.once("data", () => {
        client.write("S");
        const inside = new TLSSocket(client, { isServer: true, cert: own("pem"), key: own("key") });
        const database = createConnection(socketPath);
        for (const [from, to] of [
          [inside, database],
          [database, inside],
        ] as const) {
          pipeline(from, to, () => {});
        }
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new TlsFront(server, folder);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    await once(this.#server, "close");
  }
}
