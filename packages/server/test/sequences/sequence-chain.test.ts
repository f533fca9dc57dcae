import { blake3Hex } from "@colophon/formats";
import { type KyselyPlugin, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bodyFrame, endFrame, type SequenceClient } from "@colophon/testing/sequence-client.ts";
import { createAccount } from "@colophon/testing/api-client.ts";
import { openedSequence, sequenceClient, wholeChain } from "../support/sequence-service.ts";
import { BodyBudget } from "../../src/custody/body-budget.ts";
import { type Database, writing } from "../../src/store/database.ts";
import { membersAround } from "../../src/store/sequences/frames.ts";
import { progressOf } from "../../src/registry/sequences/read-sequence.ts";
import { imageHash, picture } from "@colophon/testing/test-pictures.ts";
import { SlotService } from "../support/slot-service.ts";

let service: SlotService;
let client: SequenceClient;

beforeAll(async () => {
  service = await SlotService.start();
  client = await sequenceClient(service);
});
afterAll(() => service[Symbol.asyncDispose]());

/** Adds BODYs without images to a sequence, none next to another. */
async function insertBodies(sequenceId: string, count: number): Promise<void> {
  await sql`insert into frame (sequence_id, account_id, frame_id, type, prev, next, frame_hash)
    select sequence_id, account_id, 2 * n, 'BODY', 2 * n - 1, 2 * n + 1, sha256((sequence_id || ' ' || n)::bytea)
    from sequence, generate_series(1, ${count}::int) as n where sequence_id = ${sequenceId}::uuid`.execute(
    service.database,
  );
}

/** The database, noting the most rows that one statement answers. */
function counting(most: { rows: number }): Database {
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      most.rows = Math.max(most.rows, result.rows.length);
      return result;
    },
  };
  return service.database.withPlugin(plugin) as Database;
}

describe("frames of a chain", () => {
  it("are refused where they disagree, all of the batch, naming the frame that was there first", async () => {
    const sequence = await openedSequence(client);
    await client.admit(sequence, [bodyFrame(sequence, 4, null, { prev: 2, next: 6 })]);
    const before = (await client.progress(sequence)).body;
    const enclosed = await client.admit(sequence, [
      bodyFrame(sequence, 1, await picture(1)),
      bodyFrame(sequence, 5, null, { prev: 4, next: 6 }),
    ]);
    expect(enclosed.status).toBe(409);
    expect(enclosed.body).toMatchObject({
      title: "Frame conflict",
      detail: "The frame lies within the span of a held frame.",
      frameId: 4,
    });
    const neighbour = await client.admit(sequence, [bodyFrame(sequence, 7, null, { prev: 4, next: 8 })]);
    expect(neighbour.status).toBe(409);
    expect(neighbour.body).toMatchObject({
      title: "Frame conflict",
      detail: "The frame's links disagree with a held frame.",
      frameId: 4,
    });
    expect((await client.progress(sequence)).body).toEqual(before);
    expect(before).toMatchObject({ framesReceived: 1, gaps: [{ from: 1, to: 2 }], reach: 0 });
  });

  it("are refused where an END takes the place of a BODY that others come after", async () => {
    const sequence = await openedSequence(client);
    await client.admit(sequence, [bodyFrame(sequence, 1, null), bodyFrame(sequence, 3, null)]);
    expect(await client.admit(sequence, [endFrame(sequence, 1)])).toMatchObject({
      status: 409,
      body: { title: "Frame conflict", frameId: 3 },
    });
    expect((await client.progress(sequence)).body).toMatchObject({ state: "open", framesReceived: 2 });
  });

  it("that are there already change nothing and need no engine", async () => {
    const sequence = await openedSequence(client);
    const chain = await wholeChain(sequence, [11, 12]);
    await client.admit(sequence, chain);
    const rows = await custodyCount(sequence.sequenceId);
    const again = await client.admit(sequence, [...chain, ...chain]);
    expect(again.body.frames.map(({ frameId }) => frameId)).toEqual([1, 2, 3, 1, 2, 3]);
    expect(again.body.verdict).toBeNull();
    expect(await custodyCount(sequence.sequenceId)).toBe(rows);
  });

  it("sent twice in one batch are one member", async () => {
    const sequence = await openedSequence(client);
    const frame = bodyFrame(sequence, 1, await picture(13));
    const admitted = await client.admit(sequence, [frame, frame]);
    expect(admitted.body.frames).toHaveLength(2);
    expect((await client.progress(sequence)).body.framesReceived).toBe(1);
  });

  it("are read some at a time, however many there are", async () => {
    const { sequenceId } = await openedSequence(client);
    await insertBodies(sequenceId, 3000);
    const most = { rows: 0 };
    const read = counting(most);
    const progressIn = (limit: number): ReturnType<typeof progressOf> => {
      const room = new BodyBudget(limit).open("account");
      return progressOf(read, { sequenceId, state: "open", expectedSize: null }, room);
    };
    const progress = await progressIn(Number.MAX_SAFE_INTEGER);
    expect(progress).toMatchObject({ framesReceived: 3000, reach: 0, connected: false });
    expect(progress.gaps).toEqual(
      Array.from({ length: 3000 }, (_, n) => ({ from: 2 * n + 1, to: 2 * n + 1 })),
    );
    expect(most.rows).toBeLessThanOrEqual(250);
    await expect(progressIn(500_000)).rejects.toMatchObject({ code: "serviceUnavailable" });
  });

  it("are read some at a time where a frame spans very many, and counted in memory", async () => {
    const sequence = await openedSequence(client);
    const { sequenceId } = sequence;
    await insertBodies(sequenceId, 3000);
    const wide = { frameId: 10, prev: 0, next: 2_000_000 };
    const most = { rows: 0 };
    const around = (limit: number): Promise<readonly unknown[]> => {
      const room = new BodyBudget(limit).open("account");
      return writing(counting(most), (write) => membersAround(write, sequenceId, [wide], room));
    };
    expect(await around(Number.MAX_SAFE_INTEGER)).toHaveLength(3001);
    expect(most.rows).toBeLessThanOrEqual(250);
    await expect(around(1_000_000)).rejects.toMatchObject({ code: "serviceUnavailable" });
    const admitted = await client.admit(sequence, [bodyFrame(sequence, wide.frameId, null, wide)]);
    expect(admitted.status).toBe(201);
    expect((await client.progress(sequence)).body).toMatchObject({ framesReceived: 1 });
    await client.abandon(sequence);
  });

  it("are gone when it is abandoned, those without a packet too", async () => {
    const sequence = await openedSequence(client);
    const bare = [1, 2, 3].map((id) => bodyFrame(sequence, id, null));
    await client.admit(sequence, [...bare, bodyFrame(sequence, 4, await picture(14))]);
    expect((await client.abandon(sequence)).body).toMatchObject({ packetsPurged: 1 });
    const left = await sql`select type from frame where sequence_id = ${sequence.sequenceId}::uuid`.execute(
      service.database,
    );
    expect(left.rows).toEqual([{ type: "HEAD" }]);
  });

  it("replace the member of their id and evict those that they span", async () => {
    const sequence = await openedSequence(client);
    const images = await Promise.all([14, 15, 16, 17].map(picture));
    await client.admit(
      sequence,
      images.slice(0, 3).map((image, at) => bodyFrame(sequence, at + 1, image)),
    );
    const wide = bodyFrame(sequence, 2, images[3] ?? null, { prev: 0, next: 4 });
    expect((await client.admit(sequence, [wide])).status).toBe(201);
    expect((await client.progress(sequence)).body).toMatchObject({ framesReceived: 1, reach: 2, gaps: [] });
    await client.admit(sequence, [endFrame(sequence, 5)]);
    expect((await client.progress(sequence)).body).toMatchObject({ gaps: [{ from: 4, to: 4 }] });
  });

  it("of one batch may evict each other, and what was derived from the evicted goes", async () => {
    const sequence = await openedSequence(client);
    const [inner, outer] = [await picture(18), await picture(19)];
    const admitted = await client.admit(sequence, [
      bodyFrame(sequence, 2, inner),
      bodyFrame(sequence, 3, outer, { prev: 1, next: 4 }),
    ]);
    expect(admitted.body.frames).toEqual([
      { frameId: 2, errata: false },
      { frameId: 3, errata: false },
    ]);
    expect((await client.progress(sequence)).body.framesReceived).toBe(1);
  });

  it("without an image are held and keep the sequence from being committed", async () => {
    const sequence = await openedSequence(client);
    await client.admit(sequence, [bodyFrame(sequence, 1, null), endFrame(sequence, 2)]);
    const refused = await client.commit(sequence);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ title: "Sequence not committable", shortfalls: ["noPacket"] });
  });
});

describe("a sealed chain", () => {
  it("takes fills and replacements, and nothing that changes its shape", async () => {
    const sequence = await openedSequence(client);
    const [one, two, end] = await wholeChain(sequence, [21, 22]);
    if (!one || !two || !end) throw new Error("A chain has three frames.");
    const sealed = await client.admit(sequence, [one, end]);
    expect(sealed.body.verdict).toMatchObject({ state: "sealed", gaps: [{ from: 2, to: 2 }] });
    for (const frame of [
      bodyFrame(sequence, 1, await picture(23), { prev: 0, next: 3 }),
      bodyFrame(sequence, 4, null),
      endFrame(sequence, 5),
    ]) {
      const refused = await client.admit(sequence, [frame]);
      expect(refused.status).toBe(409);
      expect(refused.body).toMatchObject({
        title: "Sequence does not accept this command",
        detail: "The sequence is sealed and does not accept this command.",
        frameId: expect.any(Number),
      });
    }
    expect((await client.admit(sequence, [two])).status).toBe(201);
    expect((await client.admit(sequence, [bodyFrame(sequence, 1, await picture(24))])).status).toBe(201);
    expect((await client.progress(sequence)).body).toMatchObject({ framesReceived: 2, connected: true });
    expect((await client.remove(sequence, 1)).status).toBe(204);
    expect((await client.progress(sequence)).body).toMatchObject({
      state: "sealed",
      reach: 0,
      gaps: [{ from: 1, to: 1 }],
    });
    expect((await client.remove(sequence, 1)).body).toMatchObject({ title: "Frame not found" });
    for (const frameId of [0, 3]) {
      const refused = await client.remove(sequence, frameId);
      expect(refused.status).toBe(400);
      expect(refused.body).toMatchObject({ title: "Frame is not a BODY frame", frameId });
    }
  });
});

describe("a frame that matches a registered original", () => {
  it("is an erratum that keeps the sequence from being committed until it is mended", async () => {
    const image = await picture(31);
    const other = await service.client();
    const registered = await other.register(image);
    expect(registered.status).toBe(200);
    const sequence = await openedSequence(client);
    const frame = bodyFrame(sequence, 1, image);
    const admitted = await client.admit(sequence, [frame, endFrame(sequence, 2)]);
    expect(admitted.body.frames).toEqual([
      { frameId: 1, errata: true },
      { frameId: 2, errata: false },
    ]);
    expect(admitted.body.verdict?.errata).toEqual([{ frameId: 1, originalImageHash: blake3Hex(image) }]);
    expect((await client.admit(sequence, [frame])).body.frames).toEqual([{ frameId: 1, errata: true }]);
    expect((await client.commit(sequence)).body).toMatchObject({ shortfalls: ["errata"] });
    await client.admit(sequence, [bodyFrame(sequence, 1, await picture(32))]);
    expect((await client.progress(sequence)).body.errata).toEqual([]);
    expect((await client.commit(sequence)).body).toMatchObject({ outcome: "registered" });
    expect(await other.stats()).toMatchObject({ lookups: { consumed: 0 }, registrations: { consumed: 1 } });
  });

  it("can be sent again once the original has been taken down", async () => {
    const image = await picture(33);
    const owner = await service.client();
    const registered = await owner.register(image);
    const sequence = await openedSequence(client);
    const frame = bodyFrame(sequence, 1, image);
    await client.admit(sequence, [frame, endFrame(sequence, 2)]);
    await owner.takeDown(registered.body.id);
    await client.remove(sequence, 1);
    expect((await client.admit(sequence, [frame])).body.frames).toEqual([{ frameId: 1, errata: false }]);
    expect((await client.commit(sequence)).body.outcome).toBe("registered");
  });
});

it("tells the custody of every frame's image and packet, and charges nothing", async () => {
  const { accountId, token } = await createAccount(service.baseUrl(), service.adminToken, {
    sequencesEnabled: true,
  });
  const own = await sequenceClient(service, {}, token);
  const sequence = await openedSequence(own);
  const image = await picture(41);
  await own.admit(sequence, [bodyFrame(sequence, 1, image)]);
  await own.remove(sequence, 1);
  const lines = await fetch(`${service.baseUrl()}/admin/accounts/${accountId}/custody`, {
    headers: { authorization: `Bearer ${service.adminToken}` },
  });
  const frame = { sequenceId: sequence.sequenceId, frameId: 1, slotId: null, imageHash: imageHash(image) };
  expect(
    (await lines.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { ...frame, kind: "received", subject: "frame", byteLength: image.length, check: null },
    { ...frame, kind: "deleted", subject: "frame", byteLength: image.length, check: "zeroed" },
    { ...frame, kind: "derived", subject: "packet", check: null },
    { ...frame, kind: "deleted", subject: "packet", check: "absent" },
  ]);
  expect((await own.call<object>("GET", "/account/stats")).body).toMatchObject({
    registrations: { consumed: 0 },
    lookups: { consumed: 0 },
  });
});

it("leaves everything consistent", async () => {
  expect(await service.fsck({ atRest: true })).toEqual([]);
});

async function custodyCount(sequenceId: string): Promise<number> {
  const rows = await service.database
    .selectFrom("custodyRow")
    .select("seq")
    .where("sequenceId", "=", sequenceId)
    .execute();
  return rows.length;
}
