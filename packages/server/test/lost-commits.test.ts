import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiClient } from "@colophon/testing/api-client.ts";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { ServiceProcess, serviceEnvironment } from "@colophon/testing/service-process.ts";
import { OwnPostgres } from "../../../trials/support/own-postgres.ts";
import { openDatabase } from "../src/store/database.ts";
import { CommitLost } from "../src/store/database-fault.ts";
import { isCommitted } from "../src/store/lost-commit.ts";
import { CuttingProxy } from "./support/cutting-proxy.ts";

const ADMIN = "lost-commits-test-admin-token";
/** What only the transaction sends that publishes a registration. */
const PUBLISHES = 'insert into "registration"';

let dataDir: string;
let postgres: OwnPostgres;
let proxy: CuttingProxy;
let service: ServiceProcess;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "colophon-lost-commits-"));
  postgres = await OwnPostgres.start();
  const { host, port, user, database } = postgres.connection;
  proxy = await CuttingProxy.before(`${host}/.s.PGSQL.${port}`);
  service = await ServiceProcess.start({
    ...serviceEnvironment(dataDir, ADMIN),
    COLOPHON_DATABASE_URL: `postgresql://${user}@127.0.0.1:${proxy.port}/${database}`,
  });
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

async function newAccount(): Promise<ApiClient> {
  const admin = new ApiClient(service.baseUrl, ADMIN);
  const grant = { registrations: 20, lookups: 20 };
  const { body } = await admin.call<{ accountId: string }>("POST", "/admin/accounts", grant);
  const minted = await admin.call<{ token: string }>("POST", `/admin/accounts/${body.accountId}/tokens`, {});
  return new ApiClient(service.baseUrl, minted.body.token);
}

async function picture(seed: number): Promise<Buffer> {
  return Buffer.from(await paintedPicture(seed, 240, 180));
}

/** What the account has used, once the database is back and nothing is held any more. */
async function used(account: ApiClient): Promise<unknown> {
  const stats = async (): Promise<unknown> => {
    const { status, body } = await account.call<Record<string, { consumed: number; held: number }>>(
      "GET",
      "/account/stats",
    );
    if (status !== 200) return status;
    const { registrations, lookups } = body;
    return [registrations?.consumed, registrations?.held, lookups?.held];
  };
  await expect.poll(stats).toEqual([expect.any(Number), 0, 0]);
  return ((await stats()) as number[])[0];
}

describe("a database that goes away while a registration is committed", () => {
  test("and has committed it, is asked once it is back: the record is answered", async () => {
    const account = await newAccount();
    proxy.cutNext(PUBLISHES, "after", 300);
    const { status, body } = await account.register(await picture(1));
    expect(status).toBe(200);
    expect(await used(account)).toBe(1);
    expect((await account.record(body.originalImageHash)).body.outcome).toBe("published");
  });

  test("and has not, leaves nothing of it", async () => {
    const account = await newAccount();
    const image = await picture(2);
    proxy.cutNext(PUBLISHES, "before", 300);
    const { status, body } = await account.register(image);
    expect(status).toBe(503);
    expect(body).toMatchObject({ title: "Image could not be checked yet" });
    expect(await used(account)).toBe(0);
    expect((await account.register(image)).status).toBe(200);
  });

  test("and stays away, has nothing said of what became of it", async () => {
    const account = await newAccount();
    const image = await picture(3);
    proxy.cutNext(PUBLISHES, "after", 6_000);
    const { status, body } = await account.register(image);
    expect(status).toBe(503);
    expect(body).toMatchObject({ title: "Service unavailable" });
    expect(await used(account)).toBe(1);
    expect((await account.register(image)).status).toBe(409);
  });

  test("and crashes before, then gives the transaction's number to others, leaves nothing of it", async () => {
    const account = await newAccount();
    const image = await picture(4);
    const crash = Promise.withResolvers<void>();
    proxy.cutNext(PUBLISHES, "before", 1_500, () => {
      postgres.kill();
      void postgres.serve().then(commitSome).then(crash.resolve, crash.reject);
    });
    const { status, body } = await account.register(image);
    await crash.promise;
    expect(status).toBe(503);
    // A database that is back within the two seconds that it is asked for says that nothing was registered.
    expect(body).toMatchObject({
      title: expect.stringMatching(/^(Image could not be checked yet|Service unavailable)$/),
    });
    expect(await used(account)).toBe(0);
    expect((await account.register(image)).status).toBe(200);
  });
});

test("a transaction that goes on is waited for, and nothing is said of it until it has ended", async () => {
  const database = openDatabase(postgres.connection, 2, () => {});
  const held = new Client(postgres.connection);
  await held.connect();
  try {
    const mark = randomUUID();
    const asked = (): Promise<boolean> => isCommitted(database, mark, new Error("The connection broke."));
    await held.query("begin");
    await held.query("insert into commit_mark (mark) values ($1)", [mark]);
    await expect(asked()).rejects.toThrow(CommitLost);
    const answer = asked();
    await held.query("commit");
    expect(await answer).toBe(true);
    expect(await isCommitted(database, randomUUID(), new Error("The connection broke."))).toBe(false);
  } finally {
    await held.end();
    await database.destroy();
  }
});

/** Transactions of somebody else's, past the proxy. */
async function commitSome(): Promise<void> {
  const client = new Client(postgres.connection);
  await client.connect();
  for (let n = 0; n < 100; n += 1) await client.query("select pg_current_xact_id()");
  await client.end();
}
