import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiClient } from "@colophon/testing/api-client.ts";
import { postmasterIfThere, ServiceProcess, serviceEnvironment } from "@colophon/testing/service-process.ts";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { freePort, OWN_HOST } from "./support/free-port.ts";

const ADMIN = "shutdown-test-admin-token";
const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "colophon-shutdown-"));
});

afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

async function accountOf(service: ServiceProcess): Promise<ApiClient> {
  const admin = new ApiClient(service.baseUrl, ADMIN);
  const account = await admin.call<{ accountId: string }>("POST", "/admin/accounts", {
    registrations: 5,
    lookups: 5,
  });
  const path = `/admin/accounts/${account.body.accountId}/tokens`;
  return new ApiClient(service.baseUrl, (await admin.call<{ token: string }>("POST", path, {})).body.token);
}

/** Sends a registration, all but its last bytes; answers how to send those and read what comes back. */
async function almostRegister(
  service: ServiceProcess,
  token: string,
  image: Uint8Array,
): Promise<{ finish: () => Promise<string> }> {
  const head = `--b\r\nContent-Disposition: form-data; name="image"; filename="a"\r\nContent-Type: image/jpeg\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), image, Buffer.from("\r\n--b--\r\n")]);
  const socket = connect(Number(new URL(service.baseUrl).port), "127.0.0.1");
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString()));
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  socket.write(
    `POST /registrations HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: multipart/form-data; boundary=b\r\ncontent-length: ${body.length}\r\n` +
      `expect: 100-continue\r\n\r\n`,
  );
  // Asked for, so that the request is under way.
  await expect.poll(() => received).toBe(CONTINUE);
  socket.write(body.subarray(0, -20));
  return {
    finish: async () => {
      socket.write(body.subarray(-20));
      await closed;
      return received.slice(CONTINUE.length);
    },
  };
}

describe("a service told to stop", () => {
  test("is no longer ready while it drains, answers all the same, and stops when it is asked again", async () => {
    const service = await ServiceProcess.start({
      ...serviceEnvironment(dataDir, ADMIN),
      COLOPHON_DRAIN_SECONDS: "600",
    });
    const client = await accountOf(service);
    process.kill(service.pid, "SIGTERM");
    const readiness = async (): Promise<unknown> => (await fetch(`${service.baseUrl}/ready`)).json();
    await expect.poll(readiness).toEqual({ ready: false, reasons: ["stopping"] });
    const image = await paintedPicture(71, 96, 64);
    expect((await client.register(image)).status).toBe(200);
    // Signals within a second count as one.
    await sleep(1_100);
    await service.end("SIGTERM");
    expect(service.output).toContain("stopped");
  });

  test("finishes the request under way, takes no other, and leaves nothing running", async () => {
    const service = await ServiceProcess.start(serviceEnvironment(dataDir, ADMIN));
    const account = await accountOf(service);
    const image = await paintedPicture(5, 480, 360);
    const pending = await almostRegister(service, account.token, image);
    const ended = service.end("SIGTERM");
    const isTaken = (): Promise<boolean> =>
      fetch(`${service.baseUrl}/health`).then(
        () => true,
        () => false,
      );
    await expect.poll(isTaken).toBe(false);
    expect(await pending.finish()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    await ended;
    expect(service.output).toContain("stopped");

    await using again = await ServiceProcess.start(serviceEnvironment(dataDir, ADMIN));
    const found = await new ApiClient(again.baseUrl, account.token).lookUp(image);
    expect(found.body).toMatchObject({ matched: true });
  });
});

describe("a service that cannot start", () => {
  beforeAll(async () => {
    // Its keys are made by then.
    const service = await ServiceProcess.start(serviceEnvironment(dataDir, ADMIN));
    await service.end("SIGTERM");
  });

  test.each([
    [{ COLOPHON_PORT: "http" }, /^COLOPHON_PORT must be .+\n$/],
    [
      { COLOPHON_DATABASE_URL: "postgres://127.0.0.1:1/none" },
      /^COLOPHON_DATABASE_URL must be .+ECONNREFUSED.+\n$/,
    ],
    [
      { COLOPHON_DATABASE_URL: "postgres://127.0.0.1:1/none?sslmode=require" },
      /^COLOPHON_DATABASE_URL must be .+ECONNREFUSED.+\n$/,
    ],
    [
      { COLOPHON_KEY_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64") },
      /^Colophon did not start: COLOPHON_KEY_ENCRYPTION_KEY does not open the keys of this database\.\n$/,
    ],
  ])("says why in one line: %o", async (settings, line) => {
    expect(await failure(settings)).toMatch(line);
  });

  test.each([
    [
      "key-encryption-key",
      Buffer.alloc(32, 1).toString("base64"),
      "does not open the keys of this database.",
    ],
    ["key-encryption-key", "junk", "must hold 32 bytes in base64."],
    ["log-signed", "", "holds no checkpoint:"],
    ["log-signed", "junk", "holds no checkpoint:"],
    ["admin-token", "two words", "holds no token:"],
  ])("names the file that is at fault: %s of %j", async (name, content, fault) => {
    const file = join(dataDir, name);
    const sound = await readFile(file).catch(() => null);
    await writeFile(file, content);
    const settings = name === "admin-token" ? { COLOPHON_ADMIN_TOKEN: "" } : {};
    expect(await failure(settings)).toContain(`Colophon did not start: ${file} ${fault}`);
    if (sound === null) await rm(file);
    else await writeFile(file, sound);
  });

  test("names the setting whose file holds another key", async () => {
    const file = join(dataDir, "another-key");
    await writeFile(file, Buffer.alloc(32, 1).toString("base64"));
    expect(await failure({ COLOPHON_KEY_ENCRYPTION_KEY_FILE: file })).toBe(
      "Colophon did not start: COLOPHON_KEY_ENCRYPTION_KEY_FILE does not open the keys of this database.\n",
    );
  });

  test("leaves nothing behind of what listened before: its metrics have no other port", async () => {
    const port = String(await freePort());
    const said = await failure({
      COLOPHON_HOST: OWN_HOST,
      COLOPHON_PORT: port,
      COLOPHON_METRICS: `${OWN_HOST}:${port}`,
    });
    expect(said).toMatch(
      /^COLOPHON_METRICS must be a free port, unlike \d+, where something listens already\.\n$/,
    );
  });
});

/** What a start says that comes to nothing; its process has ended by then, and its database is to have. */
async function failure(settings: Readonly<Record<string, string>>): Promise<string | undefined> {
  const said = await ServiceProcess.start({ ...serviceEnvironment(dataDir, ADMIN), ...settings }).then(
    () => undefined,
    (reason: unknown) =>
      String(reason instanceof Error && reason.message).replace(
        "The service ended before it listened:\n",
        "",
      ),
  );
  expect(postmasterIfThere(dataDir)).toBeNull();
  return said;
}

/** PostgreSQL's word on a sign-in. */
function authentication(type: number, text: string): Buffer {
  const head = Buffer.alloc(9, "R");
  head.writeUInt32BE(8 + text.length, 1);
  head.writeUInt32BE(type, 5);
  return Buffer.concat([head, Buffer.from(text)]);
}

/** A PostgreSQL that asks for a password (SCRAM) and keeps the connection of whoever has none. */
async function askingForPassword(): Promise<Server> {
  const server = createServer((socket) => {
    socket.once("data", () => {
      socket.write(authentication(10, "SCRAM-SHA-256\0\0"));
      socket.once("data", () => socket.write(authentication(11, "r=x,s=c2FsdA==,i=4096")));
    });
    socket.on("error", () => {});
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

test("a start without the database's password says so in one line, and its process ends", async () => {
  const server = await askingForPassword();
  const { port } = server.address() as AddressInfo;
  const environment = {
    ...serviceEnvironment(dataDir, ADMIN),
    COLOPHON_DATABASE_URL: `postgresql://colophon@127.0.0.1:${port}/colophon`,
  };
  const ended = ServiceProcess.start(environment);
  await expect(ended).rejects.toThrow(
    /^The service ended before it listened:\nCOLOPHON_DATABASE_URL must be [^\n]*password[^\n]*\.\n$/,
  );
  server.close();
});
