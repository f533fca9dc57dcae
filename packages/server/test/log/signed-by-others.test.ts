import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { KEY_TYPE } from "@colophon/log";
import { timeAuthority } from "@colophon/testing/time-authority.ts";
import { sql } from "kysely";
import { type Logger, pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LogSigner } from "../../src/keys/log-signer.ts";
import { latestCheckpoint, setTimestamp } from "../../src/store/log/checkpoints.ts";
import { Timestamps } from "../../src/transparency/timestamps.ts";
import { Witnesses } from "../../src/transparency/witnesses.ts";
import { freePort, OWN_HOST } from "../support/free-port.ts";
import { LogService } from "../support/log-service.ts";

let at: LogService;
beforeAll(async () => {
  at = await LogService.start();
  // Nobody is asked to sign a log of nothing.
  await at.publish(1);
});
afterAll(() => at[Symbol.asyncDispose]());

/** A log whose lines are kept. */
function keptLines(): { said: unknown[]; lines: Logger } {
  const said: unknown[] = [];
  return { said, lines: pino({ base: null }, { write: (line) => said.push(JSON.parse(line)) }) };
}

/** The nonce of a time-stamp query is all but its last field, `certReq` of three bytes. */
function withAnotherNonce(query: Buffer): Buffer {
  const other = Buffer.from(query);
  other[other.length - 4]! ^= 1;
  return other;
}

/** Somebody who is asked for signatures, and counts how often. */
interface Asked extends Disposable {
  readonly url: string;
  readonly requests: () => number;
}

async function askedAt(answer: RequestListener): Promise<Asked> {
  let requests = 0;
  const server = createHttpServer((request, response) => {
    requests += 1;
    answer(request, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return { url, requests: () => requests, [Symbol.dispose]: () => void server.close() };
}

describe("timestamps", () => {
  afterEach(async () => {
    const { database } = at.service;
    await sql`update log_checkpoint set timestamp_reply = null, timestamped_at = null`.execute(database);
  });

  it("that nobody gave are not there", async () => {
    for (const name of ["1.tsr", "0.tsr", "x", "1"]) {
      expect((await at.log.get(`timestamps/${name}`)).status).toBe(404);
    }
  });

  it("that an authority fails to give are named once, and once when there is one again", async () => {
    using authority = await askedAt((_, answer) => answer.writeHead(500).end());
    const { said, lines } = keptLines();
    const { database } = at.service;
    await using stamps = new Timestamps(database, authority.url, lines);
    const looks = (): number => {
      stamps.look();
      return authority.requests();
    };
    await expect.poll(looks).toBeGreaterThan(2);
    const failing = { fault: "status 500", msg: "the checkpoint has no timestamp yet" };
    expect(said).toMatchObject([failing]);
    const size = (await latestCheckpoint(database))?.size ?? 0;
    await setTimestamp(database, size, Buffer.from("granted"), new Date());
    const works = { msg: "checkpoints are timestamped again" };
    await expect.poll(() => looks() && said).toMatchObject([failing, works]);
  });

  it("are not believed under the nonce of another request", async () => {
    const { log } = at;
    const folder = await mkdtemp(join(tmpdir(), "colophon-tsa-"));
    await using stack = new AsyncDisposableStack();
    stack.defer(() => rm(folder, { recursive: true }));
    const reply = await timeAuthority(folder);
    let asked = withAnotherNonce;
    const authority = stack.use(
      await askedAt((request, answer) => {
        void buffer(request)
          .then((query) => reply(asked(query)))
          .then((token) => answer.end(token));
      }),
    );
    const { said, lines } = keptLines();
    const { database } = at.service;
    const stamps = stack.use(new Timestamps(database, authority.url, lines));
    const looks = (): number => {
      stamps.look();
      return authority.requests();
    };
    const size = (await latestCheckpoint(database))?.size ?? 0;
    await expect.poll(looks).toBeGreaterThan(1);
    expect(said).toMatchObject([{ fault: "its answer grants nothing about the checkpoint" }]);
    expect((await log.get(`timestamps/${size}.tsr`)).status).toBe(404);
    asked = (query) => query;
    await expect
      .poll(() => looks() && said)
      .toMatchObject([{}, { msg: "checkpoints are timestamped again" }]);
    expect((await log.get(`timestamps/${size}.tsr`)).status).toBe(200);
  });
});

/** Asks an authority for a timestamp of the latest checkpoint. */
function timestamps(url: string, lines: Logger): AsyncDisposable {
  const stamps = new Timestamps(at.service.database, url, lines);
  stamps.look();
  return stamps;
}

/** Asks a witness for its cosignature of the latest checkpoint. */
function witnesses(url: string, lines: Logger): AsyncDisposable {
  const key = new LogSigner(randomBytes(32)).keyOf("witness.example", KEY_TYPE.cosignature);
  const all = new Witnesses(at.service.database, [{ key, url }], lines);
  all.ask();
  return all;
}

describe("somebody else who is to sign", () => {
  it.each([
    ["a time-stamping authority", timestamps],
    ["a witness", witnesses],
  ])("and is away is named with the cause: %s", async (_, ask) => {
    const { said, lines } = keptLines();
    const asked = ask(`http://${OWN_HOST}:${await freePort()}`, lines);
    await expect.poll(() => said).toMatchObject([{ fault: "ECONNREFUSED" }]);
    await asked[Symbol.asyncDispose]();
  });

  it.each([
    ["a time-stamping authority", timestamps],
    ["a witness", witnesses],
  ])("and is asked while the service stops is no fault: %s", async (_, ask) => {
    const silent = createHttpServer();
    await once(silent.listen(0, OWN_HOST), "listening");
    const { said, lines } = keptLines();
    const { port } = silent.address() as AddressInfo;
    const asked = ask(`http://${OWN_HOST}:${port}`, lines);
    await once(silent, "request");
    await asked[Symbol.asyncDispose]();
    silent.closeAllConnections();
    silent.close();
    expect(said).toEqual([]);
  });
});
