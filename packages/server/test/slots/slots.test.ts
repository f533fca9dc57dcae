import { randomUUID } from "node:crypto";
import {
  ERRATA_REASONS,
  IMAGE_REJECTIONS,
  ENTRY_FAILURES,
  engineRefusalSentence,
  UNREADABLE_PACKET,
} from "@colophon/contract";
import { blake3Hex, manifestsHash, wrapJson } from "@colophon/formats";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Reply } from "@colophon/testing/api-client.ts";
import type { SlotClient } from "@colophon/testing/slot-client.ts";
import { imageHash, picture, scene } from "@colophon/testing/test-pictures.ts";
import { jsonManifest, SlotService } from "../support/slot-service.ts";

const OUTCOME = {
  partIndex: 1,
  fileName: "image.jpg",
  accepted: true,
  imageHash: null,
  rejectionReason: null,
  registrationRemaining: null,
  lookupRemaining: null,
  registrationId: null,
};

let service: SlotService;
let client: SlotClient;

beforeAll(async () => {
  service = await SlotService.start();
  client = await service.client();
});
afterAll(() => service[Symbol.asyncDispose]());

async function openSlot(by: SlotClient = client): Promise<string> {
  return (await by.openSlot()).body.slotId;
}

function hashBytes(image: Uint8Array): Buffer {
  return Buffer.from(imageHash(image), "hex");
}

/** Ledgers the end of a packet that was taken away by hand, the one thing custody could not account for. */
async function accountFor(slotId: string, image: Uint8Array): Promise<void> {
  const { database } = service;
  const slot = database.selectFrom("slot").select("accountId").where("slotId", "=", slotId);
  await database
    .insertInto("custodyRow")
    .values({
      ...(await slot.executeTakeFirstOrThrow()),
      kind: "deleted",
      subject: "packet",
      imageHash: hashBytes(image),
      sequenceId: null,
      frameId: null,
      slotId,
      byteLength: 0,
      checkName: "absent",
    })
    .execute();
}

describe("a registration slot", () => {
  it("opens, holds, reports and registers", async () => {
    const opened = await client.openSlot();
    expect(opened.status).toBe(201);
    const { slotId, expiresAt } = opened.body;
    expect(Object.keys(opened.body)).toEqual(["slotId", "expiresAt"]);
    expect(opened.headers.get("location")).toBe(`${service.baseUrl()}/slots/${slotId}`);
    const [first, second] = [await picture(1), await picture(2)];
    const uploaded = await client.upload(slotId, [
      { bytes: first, manifests: [jsonManifest("credit", '{"by": 1}')], fileName: "one.jpg" },
      { bytes: second },
    ]);
    expect(uploaded.status).toBe(200);
    expect(uploaded.body.outcomes).toEqual([
      { ...OUTCOME, fileName: "one.jpg", imageHash: imageHash(first) },
      { ...OUTCOME, partIndex: 2, imageHash: imageHash(second) },
    ]);
    const report = (await client.slot(slotId)).body;
    expect(report).toMatchObject({ slotId, status: "open", entryCount: 2 });
    expect(Date.parse(report.expiresAt)).toBeGreaterThan(Date.parse(expiresAt));
    const { entries } = (await client.entries(slotId)).body;
    expect(entries.map((entry) => entry.imageHash)).toEqual([imageHash(first), imageHash(second)].toSorted());
    const stored = wrapJson("credit", Buffer.from('{"by": 1}'));
    expect(entries.find((entry) => entry.imageHash === imageHash(first))).toEqual({
      imageHash: imageHash(first),
      manifestsHash: manifestsHash([{ kind: "credit", form: "json", stored }]),
      byteLength: first.length,
      contentType: "image/jpeg",
      createdAt: expect.any(String),
      state: "held",
      notRegisteredReason: null,
    });
    expect(await client.stats()).toMatchObject({
      registrations: { consumed: 0, held: 2, remaining: 100 },
      lookups: { consumed: 0, held: 0 },
    });
    const committed = await client.commit(slotId);
    expect(committed.body).toEqual({
      slotId,
      status: "committed",
      entries: [imageHash(first), imageHash(second)].toSorted().map((hash) => ({
        imageHash: hash,
        state: "registered",
        registrationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        failureReason: null,
      })),
    });
    expect((await client.progress(slotId)).body).toEqual({
      ...committed.body,
      counts: { total: 2, held: 0, registered: 2, answered: 0, failed: 0, errata: 0, retry: 0 },
    });
    expect(await client.stats()).toMatchObject({ registrations: { consumed: 2, held: 0, remaining: 98 } });
    const record = await client.record(blake3Hex(first));
    expect(record.body.manifests?.map((manifest) => manifest.payload)).toEqual([{ by: 1 }]);
    expect((await client.lookUp(second)).body.candidates).toHaveLength(1);
  });

  it("refuses commands once committed, and still answers reads", async () => {
    const slotId = await openSlot();
    await client.commit(slotId);
    const hash = "0".repeat(64);
    for (const reply of [
      await client.commit(slotId),
      await client.upload(slotId, [{ bytes: await picture(3) }]),
      await client.missing(slotId, []),
      await client.replaceManifests(slotId, hash, []),
      await client.removeEntry(slotId, hash),
      await client.abandon(slotId),
    ]) {
      expect(reply.status).toBe(409);
      expect(reply.body).toMatchObject({ title: "Slot is no longer open" });
    }
    expect((await client.slot(slotId)).body).toMatchObject({ status: "committed", entryCount: 0 });
    expect((await client.entries(slotId)).body).toEqual({ entries: [] });
  });

  it("is not there for others, for the other kind's routes, and once abandoned", async () => {
    const slotId = await openSlot();
    await client.upload(slotId, [{ bytes: await picture(4) }]);
    const foreign = await service.client();
    const foreignReply = await foreign.slot(slotId);
    const replies: Reply<unknown>[] = [
      foreignReply,
      await foreign.upload(slotId, [{ bytes: await picture(4) }]),
      await foreign.missing(slotId),
      await foreign.entries(slotId),
      await foreign.commit(slotId),
      await foreign.progress(slotId),
      await foreign.abandon(slotId),
      await client.slot("nonsense"),
      await client.slot("%00"),
      await client.results(slotId),
      await client.abandonLookup(slotId),
    ];
    expect((await client.abandon(slotId)).status).toBe(204);
    replies.push(
      await client.slot(slotId),
      await client.abandon(slotId),
      await client.commit(slotId),
      await client.removeEntry(slotId, "0".repeat(64)),
      await client.replaceManifests(slotId, "0".repeat(64), []),
    );
    const { traceId: _, ...problem } = foreignReply.body as unknown as Record<string, unknown>;
    for (const reply of replies) {
      expect(reply.status).toBe(404);
      expect(reply.body).toMatchObject(problem);
    }
    expect(await client.stats()).toMatchObject({ registrations: { held: 0 } });
  });

  it("takes new manifests whole, by upload or by replacement", async () => {
    const slotId = await openSlot();
    const image = await picture(5);
    const hash = imageHash(image);
    const digest = async (): Promise<string | null | undefined> =>
      (await client.entries(slotId)).body.entries[0]?.manifestsHash;
    await client.upload(slotId, [
      { bytes: image, manifests: [jsonManifest("a", "{}"), jsonManifest("a", "{}")] },
    ]);
    const twice = await digest();
    expect(twice).toMatch(/^[0-9a-f]{64}$/);
    const again = await client.upload(slotId, [{ bytes: image }]);
    expect(again.body.outcomes[0]).toEqual({ ...OUTCOME, imageHash: hash });
    expect(await digest()).toBeNull();
    const replaced = await client.replaceManifests(slotId, hash, [jsonManifest("b", '{"c":1}')]);
    expect(replaced.body.manifestsHash).toBe(await digest());
    expect(replaced.body.manifestsHash).not.toBe(twice);
    expect((await client.replaceManifests(slotId, hash, [])).body.manifestsHash).toBeNull();
    const refused = await client.replaceManifests(slotId, hash, [jsonManifest("b", "[]")]);
    expect(refused).toMatchObject({ status: 400, body: { title: "Invalid manifest" } });
    const form = new FormData();
    form.append("image", new Blob([Uint8Array.from(image)], { type: "image/jpeg" }), "x.jpg");
    const stray = await client.call("PUT", `/slots/${slotId}/entries/${hash}/manifests`, form);
    expect(stray).toMatchObject({ status: 400, body: { title: "Malformed request" } });
    for (const missing of ["1".repeat(64), "nothing"]) {
      const reply = await client.replaceManifests(slotId, missing, []);
      expect(reply).toMatchObject({ status: 404, body: { title: "Entry not found" } });
    }
    expect(await client.stats()).toMatchObject({ registrations: { held: 1 } });
    expect((await client.abandon(slotId)).status).toBe(204);
  });

  it("remembers errata without asking again, and registers nothing for them", async () => {
    const before = (await client.stats()).lookups.consumed;
    const own = await scene(6);
    const registered = (await client.register(own)).body.id;
    const crop = new Uint8Array(
      await sharp(own).extract({ left: 20, top: 10, width: 200, height: 140 }).jpeg().toBuffer(),
    );
    const foreign = await service.client();
    const theirs = await picture(7);
    expect((await foreign.register(theirs)).status).toBe(200);
    const slotId = await openSlot();
    const upload = (): ReturnType<SlotClient["upload"]> =>
      client.upload(slotId, [{ bytes: own }, { bytes: crop }, { bytes: theirs }]);
    const outcomes = [
      {
        ...OUTCOME,
        accepted: false,
        rejectionReason: IMAGE_REJECTIONS.alreadyRegistered,
        registrationId: registered,
      },
      {
        ...OUTCOME,
        partIndex: 2,
        accepted: false,
        rejectionReason: IMAGE_REJECTIONS.derivative,
        registrationId: registered,
      },
      { ...OUTCOME, partIndex: 3, accepted: false, rejectionReason: IMAGE_REJECTIONS.alreadyRegistered },
    ];
    expect((await upload()).body.outcomes).toEqual(outcomes);
    expect((await upload()).body.outcomes).toEqual(outcomes);
    expect((await client.stats()).lookups.consumed).toBe(before + 3);
    expect((await client.slot(slotId)).body.entryCount).toBe(3);
    expect((await client.missing(slotId, [imageHash(own)])).body).toEqual({ missing: [] });
    const entry = (await client.entries(slotId)).body.entries.find(
      (each) => each.imageHash === imageHash(crop),
    );
    expect(entry).toMatchObject({ state: "errata", notRegisteredReason: ERRATA_REASONS.derivative });
    const untouchable = await client.replaceManifests(slotId, imageHash(own), []);
    expect(untouchable).toMatchObject({ status: 404, body: { title: "Entry not found" } });
    expect((await client.removeEntry(slotId, imageHash(own))).status).toBe(204);
    expect((await client.upload(slotId, [{ bytes: own }])).body.outcomes[0]).toEqual(outcomes[0]);
    expect((await client.stats()).lookups.consumed).toBe(before + 4);
    const committed = (await client.commit(slotId)).body.entries;
    expect(committed).toHaveLength(3);
    expect(committed.find((each) => each.imageHash === imageHash(theirs))).toEqual({
      imageHash: imageHash(theirs),
      state: "errata",
      registrationId: null,
      failureReason: ERRATA_REASONS.alreadyRegistered,
    });
  });

  it("removes entries, whether or not they are there, and gives the reservation back", async () => {
    const slotId = await openSlot();
    const image = await picture(8);
    await client.upload(slotId, [{ bytes: image }]);
    for (const _ of [1, 2]) expect((await client.removeEntry(slotId, imageHash(image))).status).toBe(204);
    const refused = await client.removeEntry(slotId, "ABC");
    expect(refused).toMatchObject({ status: 404, body: { title: "Entry not found" } });
    expect(await client.stats()).toMatchObject({ registrations: { held: 0 } });
    expect((await client.missing(slotId, [imageHash(image)])).body.missing).toEqual([imageHash(image)]);
    await client.abandon(slotId);
  });

  it("answers which declared images are missing, in their order", async () => {
    const slotId = await openSlot();
    const image = await picture(9);
    await client.upload(slotId, [{ bytes: image }]);
    const [a, b] = ["f".repeat(64), "a".repeat(64)];
    expect((await client.missing(slotId, [a, imageHash(image), b])).body).toEqual({ missing: [a, b] });
    expect((await client.missing(slotId)).body).toEqual({ missing: [] });
    const path = `/slots/${slotId}/uploads/missing`;
    expect((await client.call("POST", path, { hashes: null })).body).toEqual({ missing: [] });
    for (const [body, title] of [
      [{ hashes: [a, a] }, "Invalid declared hash"],
      [{ hashes: ["A".repeat(64)] }, "Invalid declared hash"],
      [{ hashes: [1] }, "Invalid declared hash"],
      [{ hashes: "x" }, "Malformed request"],
      [{ other: 1 }, "Malformed request"],
      [Array.from({ length: 1 }, () => a), "Malformed request"],
      [{ hashes: Array.from({ length: 10_001 }, () => a) }, "Too many declared hashes"],
    ] as const) {
      expect(await client.call("POST", path, body)).toMatchObject({ status: 400, body: { title } });
    }
    await client.abandon(slotId);
  });

  it("registers two derivatives of one picture that were both clear when they came", async () => {
    const slotId = await openSlot();
    const image = await scene(10);
    const derived = new Uint8Array(await sharp(image).jpeg({ quality: 60 }).toBuffer());
    const { outcomes } = (await client.upload(slotId, [{ bytes: image }, { bytes: derived }])).body;
    expect(outcomes.map((outcome) => outcome.accepted)).toEqual([true, true]);
    const { entries } = (await client.commit(slotId)).body;
    expect(entries.map((entry) => entry.state)).toEqual(["registered", "registered"]);
  });

  it("finds at commit what has been registered since, and charges only the rest", async () => {
    const slotId = await openSlot();
    const [mine, theirs, fresh] = [await picture(11), await picture(12), await picture(13)];
    await client.upload(slotId, [{ bytes: mine }, { bytes: theirs }, { bytes: fresh }]);
    const registrationId = (await client.register(mine)).body.id;
    const foreign = await service.client();
    expect((await foreign.register(theirs)).status).toBe(200);
    const before = (await client.stats()).registrations;
    const { entries } = (await client.commit(slotId)).body;
    const of = (image: Uint8Array): unknown => entries.find((entry) => entry.imageHash === imageHash(image));
    const errata = { state: "errata", failureReason: ERRATA_REASONS.alreadyRegistered };
    expect(of(mine)).toMatchObject({ ...errata, registrationId });
    expect(of(theirs)).toMatchObject({ ...errata, registrationId: null });
    expect(of(fresh)).toMatchObject({ state: "registered", failureReason: null });
    expect((await client.stats()).registrations).toMatchObject({ consumed: before.consumed + 1, held: 0 });
  });

  it("fails an entry whose extraction is lost or unreadable, and leaves its siblings alone", async () => {
    const slotId = await openSlot();
    const [lost, old, altered, sound] = [
      await picture(14),
      await picture(15),
      await picture(16),
      await picture(17),
    ];
    await client.upload(slotId, [{ bytes: lost }, { bytes: old }, { bytes: altered }, { bytes: sound }]);
    const alter = service.database.updateTable("slotEntry").where("slotId", "=", slotId);
    await alter.set({ packet: null }).where("imageHash", "=", hashBytes(lost)).execute();
    await alter.set({ packetVersion: 999 }).where("imageHash", "=", hashBytes(old)).execute();
    await alter
      .set({ packet: Buffer.alloc(64) })
      .where("imageHash", "=", hashBytes(altered))
      .execute();
    const { entries } = (await client.commit(slotId)).body;
    const reason = (image: Uint8Array): unknown =>
      entries.find((entry) => entry.imageHash === imageHash(image))?.failureReason;
    expect(reason(lost)).toBe(ENTRY_FAILURES.noExtraction);
    expect(reason(old)).toBe(engineRefusalSentence(UNREADABLE_PACKET));
    expect(reason(altered)).toBe(engineRefusalSentence(UNREADABLE_PACKET));
    expect(entries.filter((entry) => entry.state === "registered")).toHaveLength(1);
    const { counts } = (await client.progress(slotId)).body;
    expect(counts).toEqual({ total: 4, held: 0, registered: 1, answered: 0, failed: 3, errata: 0, retry: 0 });
    await accountFor(slotId, lost);
  });

  it("holds as many open slots as the account may, each kind counted apart", async () => {
    const by = await service.client();
    for (let n = 0; n < 16; n += 1) expect((await by.openSlot()).status).toBe(201);
    const full = { status: 409, body: { title: "Open-slot cap reached", cap: 16 } };
    expect(await by.openSlot()).toMatchObject(full);
    expect(await by.register(await picture(18))).toMatchObject(full);
    for (let n = 0; n < 16; n += 1) expect((await by.openLookupSlot()).status).toBe(201);
    expect(await by.openLookupSlot()).toMatchObject(full);
  });

  it("knows no slot by chance", async () => {
    expect((await client.slot(randomUUID())).status).toBe(404);
  });
});

it("leaves a store in which everything adds up, and nothing half done", async () => {
  expect(await service.fsck({ atRest: true, signatures: true })).toEqual([]);
});
