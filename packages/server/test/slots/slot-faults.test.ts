import { mkdir, mkdtemp, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ENTRY_FAILURES, IMAGE_REJECTIONS, type UploadOutcomes } from "@colophon/contract";
import { blake3Hex, parseRecord, verdictOf, verifyRecord } from "@colophon/formats";
import { sql } from "kysely";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pick } from "@colophon/testing/chance.ts";
import { movedClock } from "@colophon/testing/process/moved-clock.ts";
import { seededRandom } from "@colophon/testing/pictures.ts";
import { embeddedDatabase } from "@colophon/testing/service-process.ts";
import { SlotClient } from "@colophon/testing/slot-client.ts";
import { imageHash, picture } from "@colophon/testing/test-pictures.ts";
import { SlotService } from "../support/slot-service.ts";

const HOUR = 3_600_000;
const SLOT_SECONDS = 600;

let service: SlotService;
let client: SlotClient;
let accountId: string;

beforeAll(async () => {
  service = await SlotService.start();
  const account = await service.account(1_000, 1_000);
  accountId = account.accountId;
  client = service.clientOf(account);
});
afterAll(() => service[Symbol.asyncDispose]());

async function slotWith(...images: readonly Uint8Array[]): Promise<string> {
  const { slotId } = (await client.openSlot()).body;
  const { status } = await client.upload(
    slotId,
    images.map((bytes) => ({ bytes })),
  );
  expect(status).toBe(200);
  return slotId;
}

/** Writes a claim into a slot, as a commit of the owner does. */
async function claim(slotId: string, owner: number): Promise<void> {
  await service.database
    .updateTable("slot")
    .set({ committingOwner: owner })
    .where("slotId", "=", slotId)
    .execute();
}

async function custodyOf(image: Uint8Array): Promise<readonly (readonly [string, string | null])[]> {
  const rows = await service.database
    .selectFrom("custodyRow")
    .select(["kind", "checkName"])
    .where("accountId", "=", accountId)
    .where("imageHash", "=", Buffer.from(imageHash(image), "hex"))
    .orderBy("seq")
    .execute();
  return rows.map((row) => [row.kind, row.checkName]);
}

/** Runs `work` while the database takes no new entry of any slot. */
async function withoutEntries(work: () => Promise<void>): Promise<void> {
  const { database } = service;
  await sql`create function refuse_entry() returns trigger language plpgsql
    as 'begin raise exception ''No entry is taken.''; end'`.execute(database);
  await sql`create trigger refuse_entry before insert on slot_entry
    for each row execute function refuse_entry()`.execute(database);
  try {
    await work();
  } finally {
    await sql`drop function refuse_entry() cascade`.execute(database);
  }
}

describe("an upload", () => {
  it("accounts for the pixels of an image whose outcome the database did not take", async () => {
    const image = await picture(400);
    const { slotId } = (await client.openSlot()).body;
    await withoutEntries(async () => {
      expect((await client.upload(slotId, [{ bytes: image }])).status).toBe(500);
    });
    expect(await custodyOf(image)).toEqual([
      ["received", null],
      ["deleted", "zeroed"],
    ]);
    expect((await client.stats()).registrations.held).toBe(0);
    expect((await client.upload(slotId, [{ bytes: image }])).body.outcomes[0]).toMatchObject({
      accepted: true,
    });
    await client.abandon(slotId);
  });
});

describe("a commit", () => {
  it("runs to its end when its caller hangs up", async () => {
    const images = await Promise.all([401, 402, 403].map(picture));
    const slotId = await slotWith(...images);
    const hangUp = new AbortController();
    const call = fetch(`${client.baseUrl}/slots/${slotId}/commit`, {
      method: "POST",
      headers: { authorization: `Bearer ${client.token}` },
      signal: hangUp.signal,
    }).catch(() => null);
    await expect
      .poll(async () => (await claimedBy(slotId)) !== null || (await statusOf(slotId)) === "committed")
      .toBe(true);
    hangUp.abort();
    await call;
    await expect.poll(() => statusOf(slotId)).toBe("committed");
    expect((await client.progress(slotId)).body.counts).toMatchObject({ registered: 3, held: 0 });
  });

  it("has the slot to itself while its process lives, beyond the slot's time as well", async () => {
    const image = await picture(404);
    const slotId = await slotWith(image);
    const owner = 4_711;
    const holder = new Client(embeddedDatabase(service.dataDir));
    await holder.connect();
    try {
      await holder.query("select pg_advisory_lock($1)", [owner]);
      await claim(slotId, owner);
      await sql`update slot set expires_at = clock_timestamp() where slot_id = ${slotId}`.execute(
        service.database,
      );
      for (const reply of [
        await client.commit(slotId),
        await client.upload(slotId, [{ bytes: image }]),
        await client.missing(slotId),
        await client.removeEntry(slotId, imageHash(image)),
        await client.abandon(slotId),
      ]) {
        expect(reply).toMatchObject({ status: 409, body: { title: "Slot is no longer open" } });
      }
      expect((await client.progress(slotId)).body).toMatchObject({ status: "open", counts: { held: 1 } });
      expect((await client.stats()).registrations.held).toBe(1);
      await sql`update slot set expires_at = ceiling_at where slot_id = ${slotId}`.execute(service.database);
    } finally {
      await holder.end();
    }
    await expect.poll(() => claimedBy(slotId)).toBeNull();
    expect((await client.commit(slotId)).body.entries[0]).toMatchObject({ state: "registered" });
  });

  it("can be made again at once when the one before died with its process", async () => {
    const [dealtWith, held] = [await picture(405), await picture(406)];
    const slotId = await slotWith(dealtWith, held);
    // As a commit leaves it that was killed after its first batch.
    await sql`update slot_entry set state = 'failed', reason = 'x', packet = null
      where slot_id = ${slotId} and image_hash = ${Buffer.from(imageHash(dealtWith), "hex")}`.execute(
      service.database,
    );
    await sql`update slot set held = 1 where slot_id = ${slotId}`.execute(service.database);
    await claim(slotId, 4_712);
    expect((await client.missing(slotId, [imageHash(dealtWith), imageHash(held)])).body.missing).toEqual([
      imageHash(dealtWith),
    ]);
    const again = await client.upload(slotId, [{ bytes: dealtWith }]);
    expect(again.body.outcomes[0]).toMatchObject({ accepted: true, imageHash: imageHash(dealtWith) });
    await claim(slotId, 4_712);
    const { body } = await client.commit(slotId);
    expect(body.entries.map((entry) => entry.state)).toEqual(["registered", "registered"]);
    await sql`insert into custody_row (account_id, kind, subject, image_hash, byte_length)
      select account_id, 'deleted', 'packet', image_hash, 0 from slot_entry
      where slot_id = ${slotId} and image_hash = ${Buffer.from(imageHash(dealtWith), "hex")}`.execute(
      service.database,
    );
  });

  it("leaves the others alone when the database does not take one entry", async () => {
    const images = await Promise.all([407, 408, 409].map(picture));
    const [refused] = images;
    const slotId = await slotWith(...images);
    await sql
      .raw(
        `create function refuse_one() returns trigger language plpgsql as $$ begin
           if new.image_hash = '\\x${imageHash(refused ?? new Uint8Array())}' then raise exception 'refused'; end if;
           return new;
         end $$;
         create trigger refuse_one before insert on original for each row execute function refuse_one()`,
      )
      .execute(service.database);
    try {
      const { entries } = (await client.commit(slotId)).body;
      expect(entries.filter((entry) => entry.state === "registered")).toHaveLength(2);
      expect(entries.find((entry) => entry.state !== "registered")).toEqual({
        imageHash: imageHash(refused ?? new Uint8Array()),
        state: "retry",
        registrationId: null,
        failureReason: ENTRY_FAILURES.notCheckedYet,
      });
      expect((await client.progress(slotId)).body.counts).toMatchObject({ retry: 1, failed: 0, errata: 0 });
    } finally {
      await sql
        .raw("drop trigger refuse_one on original; drop function refuse_one")
        .execute(service.database);
    }
  });
});

it("an upload of countless tiny parts ends where they are too many, and what stands before is kept", async () => {
  const image = await picture(412);
  const { slotId } = (await client.openSlot()).body;
  const tiny = `${partHead("image/tiff")}x\r\n`.repeat(80_000);
  const response = await fetch(`${client.baseUrl}/slots/${slotId}/uploads`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${client.token}`,
      "content-type": "multipart/form-data; boundary=edge",
    },
    body: new Blob([partHead("image/jpeg"), Uint8Array.from(image), "\r\n", tiny, "--edge--\r\n"]),
  });
  expect(response.status).toBe(200);
  const { outcomes }: UploadOutcomes = await response.json();
  expect(outcomes.length).toBeLessThanOrEqual(65_537);
  expect(outcomes[0]).toMatchObject({ accepted: true, imageHash: imageHash(image) });
  expect(outcomes[1]?.rejectionReason).toBe(IMAGE_REJECTIONS.unsupportedContentType);
  expect(outcomes.at(-1)?.rejectionReason).toBe(IMAGE_REJECTIONS.requestTooLarge);
  await client.abandon(slotId);
});

describe("the query pool", () => {
  it("ledgers a deletion that it cannot verify, and tries again until it can", async () => {
    const bytes = await picture(410);
    const { lookupSlotId } = (await client.openLookupSlot()).body;
    await client.uploadQueries(lookupSlotId, [{ bytes }]);
    const [name = ""] = await service.pooledFiles();
    const path = join(service.dataDir, "queries", name);
    await rm(path);
    await mkdir(path);
    expect((await client.removeQuery(lookupSlotId, imageHash(bytes))).status).toBe(204);
    expect((await client.stats()).lookups.held).toBe(0);
    expect(await custodyOf(bytes)).toEqual([
      ["received", null],
      ["deleteUnverified", null],
    ]);
    expect(await service.fsck({ atRest: false })).toEqual([]);
    await rmdir(path);
    const settled = [
      ["received", null],
      ["deleteUnverified", null],
      ["deleted", "absent"],
    ];
    await expect.poll(() => custodyOf(bytes)).toEqual(settled);
    await client.abandonLookup(lookupSlotId);
  });

  it("does not hold a query that the disk does not take", async () => {
    const bytes = await picture(411);
    const { lookupSlotId } = (await client.openLookupSlot()).body;
    const folder = join(service.dataDir, "queries");
    await rename(folder, `${folder}-away`);
    const { outcomes } = (await client.uploadQueries(lookupSlotId, [{ bytes }])).body;
    await rename(`${folder}-away`, folder);
    expect(outcomes[0]).toMatchObject({
      accepted: false,
      imageHash: null,
      rejectionReason: IMAGE_REJECTIONS.queryNotStored,
    });
    expect((await client.queries(lookupSlotId)).body.entries).toEqual([]);
    expect((await client.stats()).lookups.held).toBe(0);
    await client.abandonLookup(lookupSlotId);
  });

  it("deletes files that no row knows", async () => {
    await writeFile(join(service.dataDir, "queries", "0".repeat(32)), "stray");
    await expect.poll(() => service.pooledFiles()).toEqual([]);
    expect(await readdir(join(service.dataDir, "queries"))).toEqual(["pool-id"]);
  });
});

it("goes by the database's clock, whatever a process takes the time to be", async () => {
  const random = seededRandom(7);
  const folder = await mkdtemp(join(tmpdir(), "colophon-clock-"));
  const clock = join(folder, "milliseconds");
  await writeFile(clock, "0");
  const settings = { ...movedClock(clock), COLOPHON_SLOT_IDLE_SECONDS: String(SLOT_SECONDS) };
  const other = await service.startProcess(settings);
  const { baseUrl } = other;
  const account = await service.account();
  const [moved, steady] = [new SlotClient(baseUrl, account.token), service.clientOf(account)];
  const kept = (await moved.openSlot()).body;
  const jumps = [HOUR, -HOUR, pick(random, [-HOUR, -1_000, 1_000, HOUR]), HOUR];
  for (const [k, jump] of jumps.entries()) {
    await writeFile(clock, String(jump));
    const { slotId, expiresAt } = (await moved.openSlot()).body;
    const left = (Date.parse(expiresAt) - Date.now()) / 1_000;
    expect(left).toBeGreaterThan(SLOT_SECONDS / 2);
    expect(left).toBeLessThan(2 * SLOT_SECONDS);
    const bytes = await picture(421 + k);
    expect((await moved.upload(slotId, [{ bytes }])).status).toBe(200);
    expect((await moved.commit(slotId)).status).toBe(200);
    expect((await steady.lookUp(bytes)).body.matched).toBe(true);
    const record = await fetch(`${baseUrl}/records/${blake3Hex(bytes)}`, {
      headers: { authorization: `Bearer ${account.token}` },
    });
    const text = await record.text();
    const signed = Date.parse(/"signedAtUtc":\s*"([^"]+)"/.exec(text)?.[1] ?? "");
    expect(Math.abs(signed - Date.now() - jump)).toBeLessThan(HOUR / 4);
    expect(verdictOf(verifyRecord(parseRecord(text)))).not.toBe("failed");
  }
  expect((await moved.slot(kept.slotId)).status).toBe(200);
  expect((await moved.abandon(kept.slotId)).status).toBe(204);
  const { registrations } = await steady.stats();
  expect(registrations).toMatchObject({ consumed: jumps.length, held: 0 });
  // It asks the file for the time as long as it runs.
  await other.end("SIGTERM");
  await rm(folder, { recursive: true });
});

it("leaves a store in which everything adds up, and nothing half done", async () => {
  await expect.poll(() => service.fsck({ atRest: true })).toEqual([]);
});

async function claimedBy(slotId: string): Promise<number | null> {
  const slot = service.database.selectFrom("slot").select("committingOwner").where("slotId", "=", slotId);
  return (await slot.executeTakeFirstOrThrow()).committingOwner;
}

async function statusOf(slotId: string): Promise<string> {
  return (await client.slot(slotId)).body.status;
}

function partHead(type: string): string {
  return `--edge\r\nContent-Disposition: form-data; name="image"; filename="f"\r\nContent-Type: ${type}\r\n\r\n`;
}
