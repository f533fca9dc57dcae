import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAccount } from "@colophon/testing/api-client.ts";
import { SlotClient } from "@colophon/testing/slot-client.ts";
import { imageHash, picture } from "@colophon/testing/test-pictures.ts";
import { SlotService } from "../support/slot-service.ts";

/** One data directory for all: each start takes it up under settings of its own, so the tests stand in this order. */
let service: SlotService;

beforeAll(async () => {
  service = await SlotService.start({
    COLOPHON_KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  });
});

afterAll(() => service[Symbol.asyncDispose]());

/** Stops the service and starts it again with these settings. */
async function restart(settings: Readonly<Record<string, string>>): Promise<void> {
  await service.stop();
  await service.startProcess(settings);
}

const NOT_FOUND = { status: 404, body: { title: "Slot not found" } };

async function expectGone(client: SlotClient, slotId: string, lookupSlotId: string): Promise<void> {
  const bytes = await picture(301);
  for (const reply of [
    await client.slot(slotId),
    await client.entries(slotId),
    await client.progress(slotId),
    await client.upload(slotId, [{ bytes }]),
    await client.missing(slotId),
    await client.replaceManifests(slotId, imageHash(bytes), []),
    await client.removeEntry(slotId, imageHash(bytes)),
    await client.commit(slotId),
    await client.abandon(slotId),
    await client.queries(lookupSlotId),
    await client.lookupProgress(lookupSlotId),
    await client.results(lookupSlotId),
    await client.uploadQueries(lookupSlotId, [{ bytes }]),
    await client.missingQueries(lookupSlotId),
    await client.removeQuery(lookupSlotId, imageHash(bytes)),
    await client.commitLookup(lookupSlotId),
    await client.abandonLookup(lookupSlotId),
  ]) {
    expect(reply).toMatchObject(NOT_FOUND);
  }
}

async function expiry(client: SlotClient, slotId: string): Promise<number> {
  return Date.parse((await client.slot(slotId)).body.expiresAt);
}

/** Waits until a moment has passed on this machine's clock, which the database shares. */
async function until(moment: number): Promise<void> {
  await sleep(Math.max(0, moment - Date.now()) + 20);
}

describe("a slot's time", () => {
  it("outlasts a restart: what a slot held is still there to be committed", async () => {
    const client = await service.client();
    const { slotId } = (await client.openSlot()).body;
    const { lookupSlotId } = (await client.openLookupSlot()).body;
    const bytes = await picture(305);
    await client.upload(slotId, [{ bytes }]);
    await client.uploadQueries(lookupSlotId, [{ bytes }]);
    await restart({ COLOPHON_SLOT_IDLE_SECONDS: "20", COLOPHON_SLOT_MAX_SECONDS: "32" });
    const again = new SlotClient(service.baseUrl(), client.token);
    expect((await again.commit(slotId)).body.entries[0]?.state).toBe("registered");
    expect((await again.commitLookup(lookupSlotId)).body.queries[0]).toMatchObject({
      state: "answered",
      result: { matched: true },
    });
    expect(await service.fsck({ atRest: true })).toEqual([]);
  });

  it("is pushed forward by commands and not by reads, and never past the ceiling", async () => {
    const client = await service.client();
    const { slotId } = (await client.openSlot()).body;
    const bytes = await picture(303);
    let last = await expiry(client, slotId);
    const ceiling = last + 12_000;
    const moved = async (command: () => Promise<{ status: number }>): Promise<boolean> => {
      await sleep(30);
      expect((await command()).status).toBeLessThan(300);
      const before = last;
      last = await expiry(client, slotId);
      return last > before;
    };
    expect(await moved(() => client.slot(slotId))).toBe(false);
    expect(await moved(() => client.entries(slotId))).toBe(false);
    expect(await moved(() => client.progress(slotId))).toBe(false);
    expect(await moved(() => client.upload(slotId, [{ bytes }]))).toBe(true);
    expect(await moved(() => client.missing(slotId))).toBe(true);
    expect(await moved(() => client.replaceManifests(slotId, imageHash(bytes), []))).toBe(true);
    expect(await moved(() => client.removeEntry(slotId, imageHash(bytes)))).toBe(true);
    await until(ceiling - 19_000);
    await client.missing(slotId);
    expect(await expiry(client, slotId)).toBe(ceiling);
    await client.commit(slotId);
    expect(await expiry(client, slotId)).toBe(ceiling);
  });

  it("ends by the idle window: at once for every route, before any sweep, with all it held", async () => {
    await restart({ COLOPHON_SLOT_IDLE_SECONDS: "10", COLOPHON_SWEEP_SECONDS: "600" });
    const client = await service.client(1, 2);
    const { slotId } = (await client.openSlot()).body;
    const { lookupSlotId } = (await client.openLookupSlot()).body;
    const bytes = await picture(302);
    await client.uploadQueries(lookupSlotId, [{ bytes }]);
    await client.upload(slotId, [{ bytes }]);
    expect(await client.stats()).toMatchObject({ registrations: { held: 1 }, lookups: { held: 1 } });
    await until(await expiry(client, slotId));
    await expectGone(client, slotId, lookupSlotId);
    expect(await client.stats()).toMatchObject({
      registrations: { consumed: 0, held: 0, remaining: 1 },
      lookups: { consumed: 0, held: 0, remaining: 2 },
    });
    expect((await client.register(bytes)).status).toBe(200);
    expect(await service.pooledFiles()).toHaveLength(1);
    await restart({ COLOPHON_SLOT_IDLE_SECONDS: "10" });
    await expectGone(new SlotClient(service.baseUrl(), client.token), slotId, lookupSlotId);
    expect(await service.pooledFiles()).toEqual([]);
    expect(await service.fsck({ atRest: true })).toEqual([]);
  });

  it("gives a committed slot's results until it ends, and then no more", async () => {
    const client = await service.client();
    const { slotId } = (await client.openSlot()).body;
    const { lookupSlotId } = (await client.openLookupSlot()).body;
    const bytes = await picture(304);
    await client.uploadQueries(lookupSlotId, [{ bytes }]);
    await client.upload(slotId, [{ bytes }]);
    // The one committed last ends last; of registration slots alone the end can be read.
    await client.commitLookup(lookupSlotId);
    const committed = await client.commit(slotId);
    expect((await client.progress(slotId)).body.entries).toEqual(committed.body.entries);
    expect((await client.results(lookupSlotId)).body.queries).toHaveLength(1);
    await until((await expiry(client, slotId)) + 500);
    await expectGone(client, slotId, lookupSlotId);
    expect(await client.stats()).toMatchObject({ registrations: { consumed: 1 }, lookups: { consumed: 1 } });
    const left = async (): Promise<readonly unknown[]> =>
      service.database
        .selectFrom("slot")
        .select("slotId")
        .where("slotId", "in", [slotId, lookupSlotId])
        .execute();
    await expect.poll(left).toEqual([]);
    expect(await service.fsck({ atRest: true })).toEqual([]);
  });
});

describe("slots that ended with nothing in them", () => {
  it("go at once, whatever their account is doing", async () => {
    const account = await service.account();
    const client = service.clientOf(account);
    const slots = service.database.selectFrom("slot").where("accountId", "=", account.accountId);
    await client.openSlot();
    expect((await client.commit((await client.openSlot()).body.slotId)).status).toBe(200);
    const { lookupSlotId } = (await client.openLookupSlot()).body;
    await client.uploadQueries(lookupSlotId, [{ bytes: await picture(308) }]);
    const left = async (): Promise<readonly string[]> =>
      (await slots.select("slotId").execute()).map(({ slotId }) => slotId);
    await service.database.transaction().execute(async (write) => {
      await write
        .selectFrom("account")
        .selectAll()
        .where("accountId", "=", account.accountId)
        .forUpdate()
        .execute();
      const ended = { expiresAt: new Date(Date.now() - 1_000) };
      await service.database
        .updateTable("slot")
        .set(ended)
        .where("accountId", "=", account.accountId)
        .execute();
      await expect.poll(left).toEqual([lookupSlotId]);
    });
    await expect.poll(() => slots.select("slotId").execute()).toEqual([]);
  });
});

describe("processes with a data directory each", () => {
  it("answer a query that another one pooled as one whose image they have not got", async () => {
    const elsewhere = await SlotService.start({
      COLOPHON_KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      COLOPHON_DATABASE_URL: service.databaseUrl,
    });
    try {
      // The operator's token is one for all processes: what the last one was started with.
      const account = await createAccount(service.baseUrl(), elsewhere.adminToken, { lookups: 9 });
      const [here, there] = [service.clientOf(account), elsewhere.clientOf(account)];
      const { lookupSlotId } = (await here.openLookupSlot()).body;
      await here.uploadQueries(lookupSlotId, [{ bytes: await picture(306) }]);
      await there.uploadQueries(lookupSlotId, [{ bytes: await picture(307) }]);
      const { queries } = (await there.commitLookup(lookupSlotId)).body;
      expect(queries.map((query) => query.state).toSorted()).toEqual(["answered", "failed"]);
      expect(await elsewhere.pooledFiles()).toEqual([]);
      await expect.poll(() => service.pooledFiles()).toEqual([]);
    } finally {
      await elsewhere[Symbol.asyncDispose]();
    }
    expect(await service.fsck({ atRest: true })).toEqual([]);
  });
});
