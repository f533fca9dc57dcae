import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "kysely";
import { EveryRoute, unavailableOn } from "../../../trials/support/every-route.ts";
import { createAccount, type TestAccount } from "@colophon/testing/api-client.ts";
import type { SlotClient } from "@colophon/testing/slot-client.ts";
import { imageHash, picture } from "@colophon/testing/test-pictures.ts";
import { heldBytes } from "../src/store/accounts/held-bytes.ts";
import { bodyFrame } from "@colophon/testing/sequence-client.ts";
import { openedSequence, sequenceClient } from "./support/sequence-service.ts";
import { SlotService } from "./support/slot-service.ts";

/** More than any disk has. */
const NO_ROOM = String(Number.MAX_SAFE_INTEGER);
/** Deletions, and what neither writes nor takes pixels into custody. */
const FREEING = /^(delete|remove|abandon|commitLookupSlot|missing|get|list|export|revoke|setExpectedSize)/;

let service: SlotService;
let roomy: SlotClient;
let cramped: SlotClient;

/** One process with room and one without, on the same data. */
beforeAll(async () => {
  service = await SlotService.start({ COLOPHON_DISK_RESERVE: "0" });
  await service.startProcess({ COLOPHON_DISK_RESERVE: NO_ROOM });
  const account = await service.account(1_000, 1_000);
  roomy = service.clientOf(account);
  cramped = service.clientOf(account, 1);
});
afterAll(() => service[Symbol.asyncDispose]());

describe("a service whose disk has no room", () => {
  it("says that it is not ready, and why", async () => {
    const answers = await Promise.all([0, 1].map((at) => fetch(`${service.baseUrl(at)}/ready`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 503]);
    expect(await answers[0]?.json()).toEqual({ ready: true });
    expect(await answers[1]?.json()).toEqual({ ready: false, reasons: ["diskReserveUsedUp"] });
    expect((await fetch(`${service.baseUrl(1)}/ready`, { method: "POST" })).headers.get("allow")).toBe("GET");
  });

  it("refuses what it would have to store with 503, on every route, and never with 500", async () => {
    const routes = await EveryRoute.prepare(service.baseUrl(), service.adminToken, 51);
    const answers = await routes.at(service.baseUrl(1)).askInTurn();
    const wrong = answers.filter(({ route, status, title, retryAfter }) => {
      const mayWrite = route.auth === "account" && !FREEING.test(route.operationId);
      if (!mayWrite) return status >= 500 && retryAfter === null;
      return status !== 503 || retryAfter === null || title === null;
    });
    expect(wrong.map(({ route, status, title }) => [route.operationId, status, title])).toEqual([]);
    const titles = answers.flatMap(({ route, status, title }) =>
      status === 503 ? [[title, unavailableOn(route)]] : [],
    );
    expect(new Set(titles.map(String))).toEqual(
      new Set([
        "Image could not be checked yet,imageCouldNotBeCheckedYet",
        "Service unavailable,serviceUnavailable",
      ]),
    );
  });

  it("lets go of what it holds, and charges nothing", async () => {
    const [image, query] = [await picture(601), await picture(602)];
    const { slotId } = (await roomy.openSlot()).body;
    const { lookupSlotId } = (await roomy.openLookupSlot()).body;
    await roomy.upload(slotId, [{ bytes: image }]);
    await roomy.uploadQueries(lookupSlotId, [{ bytes: query }]);
    const registered = (await roomy.register(await picture(603))).body;
    const refused = await cramped.uploadQueries(lookupSlotId, [{ bytes: await picture(604) }]);
    expect(refused).toMatchObject({ status: 503, body: { title: "Service unavailable" } });
    expect((await cramped.removeEntry(slotId, imageHash(image))).status).toBe(204);
    expect((await cramped.abandon(slotId)).status).toBe(204);
    expect((await cramped.abandonLookup(lookupSlotId)).status).toBe(204);
    expect((await cramped.takeDown(registered.id)).status).toBe(204);
    expect(await service.pooledFiles()).toEqual([]);
    const { registrations, lookups } = await roomy.stats();
    expect([registrations.consumed, registrations.held, lookups.consumed, lookups.held]).toEqual([
      1, 0, 0, 0,
    ]);
  });
});

function richAccount(): Promise<TestAccount> {
  const grants = { registrations: 100, lookups: 100, sequencesEnabled: true };
  return createAccount(service.baseUrl(), service.adminToken, grants);
}

/** What a client is answered that opens a sequence, and uploads to its two slots. */
async function asked(by: SlotClient, slot: string, queries: string): Promise<readonly number[]> {
  const form = new FormData();
  form.append("expectedSize", "3");
  const sequence = await by.call("POST", "/sequences", form);
  const upload = await by.upload(slot, [{ bytes: await picture(612) }]);
  const pooled = await by.uploadQueries(queries, [{ bytes: await picture(613) }]);
  return [sequence.status, upload.status, pooled.status];
}

describe("an account that holds more of the disk than it leaves free", () => {
  it("is refused more in slots and sequences until it lets go of it, and nobody else is", async () => {
    const account = await richAccount();
    const client = service.clientOf(account);
    const { slotId } = (await client.openSlot()).body;
    const { lookupSlotId } = (await client.openLookupSlot()).body;
    await client.upload(slotId, [{ bytes: await picture(611) }]);
    const entry = service.database.updateTable("slotEntry").where("slotId", "=", slotId);
    await entry.set({ manifestsLength: Number.MAX_SAFE_INTEGER }).execute();
    expect(await asked(client, slotId, lookupSlotId)).toEqual([503, 503, 503]);
    const other = service.clientOf(await richAccount());
    const theirs = (await other.openSlot()).body.slotId;
    const theirQueries = (await other.openLookupSlot()).body.lookupSlotId;
    expect(await asked(other, theirs, theirQueries)).toEqual([201, 200, 200]);
    await entry.set({ manifestsLength: 0 }).execute();
    expect(await asked(client, slotId, lookupSlotId)).toEqual([201, 200, 200]);
    expect((await client.abandonLookup(lookupSlotId)).status).toBe(204);
    expect((await other.abandonLookup(theirQueries)).status).toBe(204);
  });
});

describe("a sequence under way", () => {
  it("counts with its frames and their packets, and takes no more of them than there is room for", async () => {
    const { accountId, token } = await richAccount();
    const client = await sequenceClient(service, {}, token);
    const sequence = await openedSequence(client);
    const held = (): Promise<number> => heldBytes(service.database, accountId);
    const empty = await held();
    expect((await client.admit(sequence, [bodyFrame(sequence, 1, null)])).status).toBe(201);
    const frame = (await held()) - empty;
    expect(frame).toBeGreaterThan(100);
    const whole = bodyFrame(sequence, 2, await picture(615));
    expect((await client.admit(sequence, [whole])).status).toBe(201);
    const { packet } = await service.database
      .selectFrom("framePacket")
      .select("packet")
      .where("accountId", "=", accountId)
      .executeTakeFirstOrThrow();
    expect(await held()).toBe(empty + 2 * frame + packet.length);
    const slots = service.clientOf({ accountId, token });
    const { slotId } = (await slots.openSlot()).body;
    await slots.upload(slotId, [{ bytes: await picture(616) }]);
    await service.database
      .updateTable("slotEntry")
      .set({ manifestsLength: Number.MAX_SAFE_INTEGER })
      .where("slotId", "=", slotId)
      .execute();
    expect((await client.admit(sequence, [bodyFrame(sequence, 3, null)])).status).toBe(503);
    await slots.abandon(slotId);
    expect((await client.admit(sequence, [bodyFrame(sequence, 3, null)])).status).toBe(201);
    expect((await client.abandon(sequence)).status).toBe(200);
    expect(await held()).toBe(0);
  });

  it("says what it holds without a look at its frames, however many they are", async () => {
    const { accountId, token } = await richAccount();
    const client = await sequenceClient(service, {}, token);
    const sequence = await openedSequence(client);
    const chain = [1, 2, 3].map((id) => bodyFrame(sequence, id, null));
    expect((await client.admit(sequence, chain)).status).toBe(201);
    const held = await heldBytes(service.database, accountId);
    await service.database.transaction().execute(async (write) => {
      await sql`lock table frame, frame_packet in access exclusive mode`.execute(write);
      expect(await heldBytes(service.database, accountId)).toBe(held);
    });
    expect((await client.admit(sequence, [bodyFrame(sequence, 2, null, { prev: 0, next: 4 })])).status).toBe(
      201,
    );
    expect(await heldBytes(service.database, accountId)).toBe(held / 2);
  });
});

describe("a long upload", () => {
  it("is refused once its account has come to hold too much meanwhile", async () => {
    const client = service.clientOf(await richAccount());
    const { slotId } = (await client.openSlot()).body;
    await client.upload(slotId, [{ bytes: await picture(614) }]);
    const { lookupSlotId } = (await client.openLookupSlot()).body;
    const entries = service.database.selectFrom("slotEntry").where("slotId", "=", lookupSlotId);
    const large = Buffer.alloc(20_000_000, 7);
    const head =
      '--b\r\nContent-Disposition: form-data; name="a"; filename="a"\r\nContent-Type: image/jpeg\r\n\r\n';
    async function* body(): AsyncGenerator<Buffer> {
      yield Buffer.concat([Buffer.from(head), large, Buffer.from("\r\n")]);
      yield Buffer.from(head);
      await expect.poll(() => entries.select("entryId").execute()).toHaveLength(1);
      const held = { manifestsLength: Number.MAX_SAFE_INTEGER };
      await service.database.updateTable("slotEntry").set(held).where("slotId", "=", slotId).execute();
      yield Buffer.concat([large, Buffer.from("\r\n--b--\r\n")]);
    }
    const posted = request(`${client.baseUrl}/lookup/slots/${lookupSlotId}/queries`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${client.token}`,
        "content-type": "multipart/form-data; boundary=b",
      },
    });
    Readable.from(body()).pipe(posted);
    const [answer]: IncomingMessage[] = await once(posted, "response");
    answer?.resume();
    expect(answer?.statusCode).toBe(503);
    expect((await client.queries(lookupSlotId)).body.entries).toEqual([]);
  });
});

/** Runs `work` while PostgreSQL finds no room for a new row of a table. */
async function whileFull(table: string, work: () => Promise<void>): Promise<void> {
  await sql
    .raw(
      `create function no_room() returns trigger language plpgsql as
       'begin raise exception ''could not extend file'' using errcode = ''53100''; end';
       create trigger no_room before insert on ${table} for each row execute function no_room()`,
    )
    .execute(service.database);
  try {
    await work();
  } finally {
    await sql.raw("drop function no_room() cascade").execute(service.database);
  }
}

describe("a database whose disk is full", () => {
  it("is no fault of the request: 503, nothing charged, and it goes on by itself", async () => {
    const image = await picture(605);
    await whileFull("original", async () => {
      const refused = await roomy.register(image);
      expect(refused).toMatchObject({ status: 503, body: { title: "Image could not be checked yet" } });
    });
    const { slotId } = (await roomy.openSlot()).body;
    await whileFull("slot_entry", async () => {
      const refused = await roomy.upload(slotId, [{ bytes: image }]);
      expect(refused).toMatchObject({ status: 503, body: { title: "Service unavailable" } });
    });
    await whileFull("slot", async () => expect((await roomy.openSlot()).status).toBe(503));
    expect((await roomy.upload(slotId, [{ bytes: image }])).body.outcomes[0]).toMatchObject({
      accepted: true,
    });
    await whileFull("original", async () => expect((await roomy.commit(slotId)).status).toBe(503));
    expect((await roomy.commit(slotId)).body.entries[0]).toMatchObject({ state: "registered" });
  });

  it("deletes the files of a slot before it can write down that they are gone", async () => {
    const { lookupSlotId } = (await roomy.openLookupSlot()).body;
    await roomy.uploadQueries(lookupSlotId, [{ bytes: await picture(606) }]);
    await whileFull("custody_row", async () => {
      expect((await roomy.abandonLookup(lookupSlotId)).status).toBe(204);
      expect(await service.pooledFiles()).toEqual([]);
    });
  });

  it("leaves a store in which everything adds up", async () => {
    await expect.poll(() => service.fsck({ atRest: false })).toEqual([]);
  });
});
