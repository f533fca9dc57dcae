import { fromUtf8 } from "@colophon/formats";
import { type LogAudit, readBundle } from "@colophon/log";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOCKS } from "../../src/store/locks.ts";
import { LogReader } from "../support/log-reader.ts";
import { LogService, register } from "../support/log-service.ts";

let at: LogService;
beforeAll(async () => void (at = await LogService.start()));
afterAll(() => at[Symbol.asyncDispose]());

describe("publications by every way: an image, a slot, the frames of a sequence", () => {
  let before: LogAudit["counts"];
  let hashes: readonly string[];
  beforeAll(async () => {
    before = await at.log.audit();
    hashes = await at.registerByEveryWay();
  });

  it("are entries", async () => {
    const { log } = at;
    for (const hash of hashes) expect([hash, await log.faults(hash)]).toEqual([hash, []]);
    expect(await log.audit()).toEqual({ live: before.live + 6, takenDown: before.takenDown });
  });

  it("name no image: a hash is nowhere in the log", async () => {
    const { log } = at;
    for (const hash of hashes) await log.proven(hash);
    const { checkpoint } = await log.checkpoint();
    const entries = fromUtf8(await log.bytes(`tile/entries/000.p/${checkpoint.size}`));
    for (const hash of hashes) {
      expect(entries).not.toContain(hash);
      expect(entries).not.toContain(Buffer.from(hash, "hex").toString("base64"));
    }
  });
});

describe("a proof", () => {
  it("waits for its checkpoint with a 503 that says when to come again", async () => {
    const { log } = at;
    const hash = await at.service.database.transaction().execute(async (write) => {
      // Who holds this lock keeps the sequencer from its turn.
      await sql`select pg_advisory_xact_lock(${LOCKS.log})`.execute(write);
      const registered = await register(at.client, 11);
      const answer = await log.proof(registered.hash);
      expect(answer.status).toBe(503);
      expect(answer.headers.get("retry-after")).toBe("1");
      expect(await answer.json()).toMatchObject({ title: "Proof not ready" });
      return registered.hash;
    });
    expect(await log.faults(hash)).toEqual([]);
  });

  it("is not charged, and needs a token", async () => {
    const { client, log } = at;
    const { hash } = await at.publish(12);
    const before = await client.stats();
    await log.proven(hash);
    expect((await client.stats()).lookups).toEqual(before.lookups);
    expect((await fetch(`${log.baseUrl}/log/proofs/${hash}`)).status).toBe(401);
    const malformed = await log.proof("x");
    expect([malformed.status, await malformed.json()]).toMatchObject([
      400,
      { title: "Invalid declared hash" },
    ]);
  });
});

describe("tiles", () => {
  beforeAll(async () => {
    for (const seed of [21, 22, 23, 24, 25]) await at.publish(seed);
  });

  it("are as wide as was asked for, for good", async () => {
    const { log } = at;
    const answer = await log.get("tile/0/000.p/3");
    expect(answer.headers.get("content-type")).toBe("application/octet-stream");
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const three = new Uint8Array(await answer.arrayBuffer());
    expect(await log.bytes("tile/0/000.p/2")).toEqual(three.subarray(0, 64));
    expect(readBundle(await log.bytes("tile/entries/000.p/2"))).toHaveLength(2);
  });

  it.each([
    "0/000",
    "0/001",
    "0/000.p/255",
    "1/000.p/1",
    "0/0",
    "64/000",
    "entries/000",
    "entries/x000/000",
    "0/000.p/",
    "0",
    "-1/000",
    "0/000/..",
  ])("has no %s", async (path) => {
    const answer = await at.log.get(`tile/${path}`);
    expect([answer.status, (await answer.json()).title]).toEqual([404, "Not found"]);
  });

  it("asked for by many at once are read in turns of one connection", async () => {
    const { log } = at;
    const widths = Array.from({ length: 300 }, (_, n) => 1 + (n % 5));
    const answers = await Promise.all(widths.map((width) => log.bytes(`tile/0/000.p/${width}`)));
    const whole = await log.bytes("tile/0/000.p/5");
    for (const [n, width] of widths.entries()) expect(answers[n]).toEqual(whole.subarray(0, 32 * width));
  });
});

describe("a log that could not be kept", () => {
  it("is said to be kept again, also where nothing waits for it", async () => {
    const { service } = at;
    await sql`alter table log_pending rename to log_pending_away`.execute(service.database);
    const failing = '"reason":"statement 42P01","msg":"the log is not kept at the moment"';
    await expect.poll(() => service.output()).toContain(failing);
    await sql`alter table log_pending_away rename to log_pending`.execute(service.database);
    await expect.poll(() => service.output()).toContain('"msg":"the log is kept again"');
  });
});

describe("another process", () => {
  it("serves the same log, and none where it is switched off", async () => {
    const { log, service, token } = at;
    await using both = new AsyncDisposableStack();
    const [second, off] = await Promise.all([
      service.startProcess(),
      service.startProcess({ COLOPHON_LOG: "off" }),
    ]);
    both.use(second);
    both.use(off);
    const other = new LogReader(second.baseUrl, token);
    const { hash } = await at.publish(31);
    expect(await other.checkpoint()).toEqual(await log.checkpoint());
    expect(await other.faults(hash)).toEqual([]);
    const without = new LogReader(off.baseUrl, token);
    for (const path of ["checkpoint", "vkey", "tile/0/000.p/1", "timestamps/1.tsr", `proofs/${hash}`]) {
      const answer = await fetch(`${off.baseUrl}/log/${path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const { traceId: _, ...body } = await answer.json();
      const { traceId: __, ...missing } = await (await fetch(`${off.baseUrl}/nothing`)).json();
      expect(body).toEqual(missing);
    }
    expect((await without.get("checkpoint")).headers.get("access-control-allow-origin")).toBeNull();
  });
});
