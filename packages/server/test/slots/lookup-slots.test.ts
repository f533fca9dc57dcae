import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ENTRY_FAILURES, IMAGE_REJECTIONS } from "@colophon/contract";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SlotClient } from "@colophon/testing/slot-client.ts";
import { imageHash, picture, scene } from "@colophon/testing/test-pictures.ts";
import { jsonManifest, SlotService } from "../support/slot-service.ts";

let service: SlotService;

beforeAll(async () => {
  service = await SlotService.start({
    COLOPHON_MAX_QUERIES_PER_REQUEST: "5",
    COLOPHON_MAX_QUERIES_PER_SLOT: "6",
  });
});
afterAll(() => service[Symbol.asyncDispose]());

async function opened(by: SlotClient): Promise<string> {
  return (await by.openLookupSlot()).body.lookupSlotId;
}

describe("a look-up slot", () => {
  it("holds queries, answers them all at once, and keeps the verdicts readable", async () => {
    const client = await service.client();
    const foreign = await service.client();
    const [own, theirs, nobody] = [await scene(201), await picture(202), await picture(203)];
    const ownId = (await client.register(own)).body;
    const theirId = (await foreign.register(theirs)).body;
    const crop = new Uint8Array(
      await sharp(own).extract({ left: 20, top: 10, width: 200, height: 140 }).jpeg().toBuffer(),
    );
    const unreadable = Buffer.from("no image");
    const open = await client.openLookupSlot();
    expect(open.status).toBe(201);
    expect(Object.keys(open.body)).toEqual(["lookupSlotId", "expiresAt"]);
    const id = open.body.lookupSlotId;
    expect(open.headers.get("location")).toBe(`${service.baseUrl()}/lookup/slots/${id}`);
    const images = [crop, theirs, nobody, unreadable];
    const upload = await client.uploadQueries(
      id,
      images.map((bytes) => ({ bytes })),
    );
    expect(
      upload.body.outcomes.map((outcome) => [outcome.partIndex, outcome.accepted, outcome.imageHash]),
    ).toEqual(images.map((image, at) => [at + 1, true, imageHash(image)]));
    expect(
      (await client.uploadQueries(id, [{ bytes: theirs }, { bytes: theirs }])).body.outcomes,
    ).toHaveLength(2);
    expect(await client.stats()).toMatchObject({ lookups: { consumed: 0, held: 4, remaining: 100 } });
    const { entries } = (await client.queries(id)).body;
    expect(entries.map((entry) => entry.imageHash)).toEqual(images.map(imageHash).toSorted());
    expect(entries[0]).toMatchObject({ state: "held", manifestsHash: null, notRegisteredReason: null });
    const before = (await client.results(id)).body.queries;
    expect(before.every((query) => query.state === "held" && query.result === null)).toBe(true);
    const files = await service.pooledFiles();
    expect(files).toHaveLength(4);
    for (const file of files) {
      const bytes = await readFile(join(service.dataDir, "queries", file));
      expect(images.some((image) => bytes.includes(Buffer.from(image).subarray(0, 8)))).toBe(false);
    }
    const committed = await client.commitLookup(id);
    expect(committed.status).toBe(200);
    const of = (image: Uint8Array): unknown =>
      committed.body.queries.find((query) => query.imageHash === imageHash(image));
    const answered = { state: "answered", failureReason: null };
    expect(of(crop)).toEqual({
      imageHash: imageHash(crop),
      ...answered,
      result: {
        matched: true,
        matchedOriginalImageHashes: [ownId.originalImageHash],
        candidates: [{ registrationId: ownId.id }],
      },
    });
    expect(of(theirs)).toMatchObject({
      ...answered,
      result: { matched: true, matchedOriginalImageHashes: [theirId.originalImageHash], candidates: [] },
    });
    expect(of(nobody)).toMatchObject({
      ...answered,
      result: { matched: false, matchedOriginalImageHashes: [], candidates: [] },
    });
    expect(of(unreadable)).toMatchObject({
      state: "failed",
      result: null,
      failureReason: expect.stringMatching(/^The engine refused this item: \w+\. /),
    });
    expect((await client.results(id)).body).toEqual(committed.body);
    expect((await client.lookupProgress(id)).body).toMatchObject({
      slotId: id,
      status: "committed",
      counts: { total: 4, held: 0, registered: 0, answered: 3, failed: 1, errata: 0, retry: 0 },
    });
    expect(await client.stats()).toMatchObject({ lookups: { consumed: 3, held: 0, remaining: 97 } });
    expect(await service.pooledFiles()).toEqual([]);
  });

  it("refuses whole uploads that carry anything but images, and holds nothing of them", async () => {
    const client = await service.client();
    const id = await opened(client);
    const bytes = await picture(204);
    const malformed = { status: 400, body: { title: "Malformed request" } };
    const withManifest = await client.uploadQueries(id, [
      { bytes },
      { bytes, manifests: [jsonManifest("a", "{}")] },
    ]);
    expect(withManifest).toMatchObject(malformed);
    const six = await Promise.all([211, 212, 213, 214, 215, 216].map(picture));
    expect(
      await client.uploadQueries(
        id,
        six.map((image) => ({ bytes: image })),
      ),
    ).toMatchObject(malformed);
    const form = new FormData();
    form.append("whatever", new Blob([Uint8Array.from(bytes)], { type: "image/jpeg" }), "x.jpg");
    form.append("note", "hello");
    expect(await client.call("POST", `/lookup/slots/${id}/queries`, form)).toMatchObject(malformed);
    expect(await client.call("POST", `/lookup/slots/${id}/queries?k=1`, form)).toMatchObject(malformed);
    expect(await client.call("POST", `/lookup/slots/${id}/queries`, new FormData())).toMatchObject(malformed);
    expect((await client.queries(id)).body).toEqual({ entries: [] });
    expect(await client.stats()).toMatchObject({ lookups: { consumed: 0, held: 0 } });
    expect(await service.pooledFiles()).toEqual([]);
  });

  it("takes an image under any name, and no manifest under its own", async () => {
    const client = await service.client();
    const id = await opened(client);
    const image = Uint8Array.from(await picture(205));
    const upload = (type: string, ...names: readonly string[]) => {
      const form = new FormData();
      for (const name of names) form.append(name, new Blob([image], { type }), "x.jpg");
      return client.call("POST", `/lookup/slots/${id}/queries`, form);
    };
    const names = ["query", "manifest", "manifest[a]"];
    const taken = { accepted: true, imageHash: imageHash(image) };
    expect(await upload("image/jpeg", ...names)).toMatchObject({
      status: 200,
      body: { outcomes: [taken, taken, taken] },
    });
    for (const type of ["application/json", "application/c2pa"]) {
      expect(await upload(type, "manifest[a]")).toMatchObject({
        status: 400,
        body: { title: "Malformed request" },
      });
    }
    expect((await client.queries(id)).body.entries).toHaveLength(1);
    expect(await client.call("DELETE", `/lookup/slots/${id}`)).toMatchObject({ status: 204 });
  });

  it("holds as many queries as a slot may, and as the grant covers", async () => {
    const client = await service.client(0, 8);
    const id = await opened(client);
    const images = await Promise.all([221, 222, 223, 224, 225, 226, 227, 228, 229].map(picture));
    const posted = images.map((bytes) => ({ bytes }));
    await client.uploadQueries(id, posted.slice(0, 5));
    const full = await client.uploadQueries(id, posted.slice(5, 8));
    expect(full.body.outcomes.map((outcome) => outcome.rejectionReason)).toEqual([
      null,
      IMAGE_REJECTIONS.queriesFull,
      IMAGE_REJECTIONS.queriesFull,
    ]);
    const other = await opened(client);
    const partly = await client.uploadQueries(other, posted.slice(0, 3));
    expect(partly.body.outcomes.map((outcome) => outcome.rejectionReason)).toEqual([
      null,
      null,
      IMAGE_REJECTIONS.lookupGrant,
    ]);
    expect(partly.body.outcomes[2]).toMatchObject({ registrationRemaining: 0, lookupRemaining: 8 });
    const none = await client.uploadQueries(other, posted.slice(8));
    expect(none).toMatchObject({ status: 429, body: { registrationRemaining: 0, lookupRemaining: 8 } });
    expect(await client.lookUp(await picture(230))).toMatchObject({ status: 429 });
    expect(await client.stats()).toMatchObject({ lookups: { consumed: 0, held: 8, remaining: 8 } });
    for (const slot of [id, other]) expect((await client.abandonLookup(slot)).status).toBe(204);
    expect(await client.stats()).toMatchObject({ lookups: { held: 0 } });
    expect((await client.queries(id)).status).toBe(404);
    expect(await service.pooledFiles()).toEqual([]);
  });

  it("deletes the pixels of a query that is removed", async () => {
    const client = await service.client();
    const id = await opened(client);
    const bytes = await picture(231);
    await client.uploadQueries(id, [{ bytes }]);
    for (const _ of [1, 2]) expect((await client.removeQuery(id, imageHash(bytes))).status).toBe(204);
    expect(await client.removeQuery(id, "x")).toMatchObject({
      status: 404,
      body: { title: "Entry not found" },
    });
    expect(await service.pooledFiles()).toEqual([]);
    expect((await client.missingQueries(id, [imageHash(bytes)])).body.missing).toEqual([imageHash(bytes)]);
    expect(await client.stats()).toMatchObject({ lookups: { held: 0 } });
    await client.abandonLookup(id);
  });

  it("never reports a query whose image is lost as no match", async () => {
    const client = await service.client();
    const id = await opened(client);
    const bytes = await picture(232);
    await client.uploadQueries(id, [{ bytes }]);
    for (const file of await service.pooledFiles()) await rm(join(service.dataDir, "queries", file));
    expect((await client.commitLookup(id)).body.queries).toEqual([
      {
        imageHash: imageHash(bytes),
        state: "failed",
        result: null,
        failureReason: ENTRY_FAILURES.noQueryImage,
      },
    ]);
    expect(await client.stats()).toMatchObject({ lookups: { consumed: 0, held: 0 } });
    for (const reply of [
      await client.commitLookup(id),
      await client.uploadQueries(id, [{ bytes }]),
      await client.missingQueries(id),
      await client.removeQuery(id, imageHash(bytes)),
      await client.abandonLookup(id),
    ]) {
      expect(reply).toMatchObject({ status: 409, body: { title: "Slot is no longer open" } });
    }
  });

  it("still holds a query whose image could not be read, and answers it once it can", async () => {
    const client = await service.client();
    const id = await opened(client);
    await client.uploadQueries(id, [{ bytes: await picture(233) }]);
    const [name = ""] = await service.pooledFiles();
    const path = join(service.dataDir, "queries", name);
    const aside = join(service.dataDir, "aside");
    await rename(path, aside);
    // It leads to itself, and cannot be opened.
    await symlink(path, path);
    expect((await client.commitLookup(id)).status).toBe(500);
    await rename(aside, path);
    expect((await client.commitLookup(id)).body.queries).toMatchObject([{ state: "answered" }]);
  });

  it("keeps a query whose image lies where no disk is mounted at the moment", async () => {
    const client = await service.client();
    const id = await opened(client);
    await client.uploadQueries(id, [{ bytes: await picture(236) }]);
    const [folder, away] = ["queries", "away"].map((name) => join(service.dataDir, name)) as [string, string];
    await rename(folder, away);
    expect((await client.commitLookup(id)).status).toBe(500);
    // What is mounted there instead is another's.
    await mkdir(folder);
    await writeFile(join(folder, "pool-id"), randomUUID());
    expect((await client.commitLookup(id)).status).toBe(500);
    await rm(folder, { recursive: true });
    await rename(away, folder);
    expect((await client.commitLookup(id)).body.queries).toMatchObject([{ state: "answered" }]);
  });

  it("ledgers every query image once in and once out", async () => {
    const account = await service.account();
    const client = service.clientOf(account);
    const id = await opened(client);
    const [answered, removed] = [await picture(233), await picture(234)];
    await client.uploadQueries(id, [{ bytes: answered }, { bytes: removed }]);
    await client.removeQuery(id, imageHash(removed));
    await client.commitLookup(id);
    const response = await fetch(`${service.baseUrl()}/admin/accounts/${account.accountId}/custody`, {
      headers: { authorization: `Bearer ${service.adminToken}` },
    });
    const rows = (await response.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const story = rows.map((row) => [
      row["kind"],
      row["subject"],
      row["imageHash"],
      row["slotId"],
      row["check"],
    ]);
    expect(story).toEqual([
      ["received", "queryImage", imageHash(answered), id, null],
      ["received", "queryImage", imageHash(removed), id, null],
      ["deleted", "queryImage", imageHash(removed), id, "absent"],
      ["deleted", "queryImage", imageHash(answered), id, "absent"],
    ]);
  });
});

it("leaves a store in which everything adds up, and nothing half done", async () => {
  expect(await service.fsck({ atRest: true })).toEqual([]);
});
