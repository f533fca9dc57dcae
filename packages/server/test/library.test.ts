import type {
  C2paMatches,
  Inspection,
  LibraryRegistrations,
  LibrarySequences,
  LibrarySlots,
  LookupVerdict,
  OperationRow,
} from "@colophon/contract";
import { OperatorClient } from "@colophon/client";
import { blake3Hex, verifyLedger } from "@colophon/formats";
import {
  type ApiClient,
  createAccount,
  type ManifestPart,
  type TestAccount,
} from "@colophon/testing/api-client.ts";
import { unsignedStore } from "@colophon/testing/credentials/c2pa-store.ts";
import { bodyFrame, SequenceClient } from "@colophon/testing/sequence-client.ts";
import { SlotClient } from "@colophon/testing/slot-client.ts";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wholeChain } from "./support/sequence-service.ts";
import { imageHash, picture } from "@colophon/testing/test-pictures.ts";
import { SlotService } from "./support/slot-service.ts";

let service: SlotService;
let account: TestAccount;
let slots: SlotClient;
let sequences: SequenceClient;
let stranger: SequenceClient;

beforeAll(async () => {
  service = await SlotService.start();
  const settings = { registrations: 100, lookups: 1000, sequencesEnabled: true };
  account = await createAccount(service.baseUrl(), service.adminToken, settings);
  slots = new SlotClient(service.baseUrl(), account.token);
  sequences = new SequenceClient(service.baseUrl(), account.token);
  const other = await createAccount(service.baseUrl(), service.adminToken, settings);
  stranger = new SequenceClient(service.baseUrl(), other.token);
});
afterAll(() => service[Symbol.asyncDispose]());

async function inspect(image: Uint8Array, by: ApiClient = slots): Promise<Inspection> {
  const form = new FormData();
  form.append("image", new Blob([Uint8Array.from(image)], { type: "image/jpeg" }), "query.jpg");
  return (await by.call<Inspection>("POST", "/inspect", form)).body;
}

async function registrations(query = "", by: ApiClient = slots): Promise<LibraryRegistrations> {
  return (await by.call<LibraryRegistrations>("GET", `/library/registrations${query}`)).body;
}

async function listed(by: ApiClient): Promise<LibrarySequences["sequences"]> {
  return (await by.call<LibrarySequences>("GET", "/library/sequences")).body.sequences;
}

describe("the library", () => {
  it("lists what slots registered after what was registered alone, a batch in one order on every page", async () => {
    const alone = (await slots.register(await picture(1))).body;
    const { slotId } = (await slots.openSlot()).body;
    const images = await Promise.all([2, 3, 4].map((seed) => picture(seed)));
    await slots.upload(
      slotId,
      images.map((bytes) => ({ bytes })),
    );
    const open = (await slots.call<LibrarySlots>("GET", "/library/slots")).body.slots;
    expect(open).toEqual([(await slots.slot(slotId)).body]);
    expect(open[0]).toMatchObject({ slotId, entryCount: 3 });
    await slots.commit(slotId);
    expect((await slots.call<LibrarySlots>("GET", "/library/slots")).body.slots).toEqual([]);

    const whole = (await registrations()).registrations;
    expect(whole.map(({ source }) => source)).toEqual(["slot", "slot", "slot", "single"]);
    expect(whole.at(-1)?.registrationId).toBe(alone.id);
    const paged: typeof whole = [];
    for (let after: string | null = ""; after !== null; ) {
      const page = await registrations(`?limit=1${after === "" ? "" : `&after=${after}`}`);
      paged.push(...page.registrations);
      after = page.next;
    }
    expect(paged).toEqual(whole);
  });

  it("knows open sequences without their ticket, and frames by the hash of their record", async () => {
    const manifests = [{ kind: "credit", type: "application/json", bytes: Buffer.from('{"by":1}') }];
    const sequence = (await sequences.openSequence({ expectedSize: ["3"], manifests })).body;
    const { sequenceId } = sequence;
    const later = (await sequences.openSequence()).body;
    await sequences.admit(sequence, [bodyFrame(sequence, 1, await picture(21))]);
    expect(await listed(sequences)).toEqual([
      { sequenceId: later.sequenceId, ...(await sequences.progress(later)).body },
      { sequenceId, ...(await sequences.progress(sequence)).body },
    ]);
    expect(await listed(stranger)).toEqual([]);
    await sequences.abandon(later);
    await sequences.admit(sequence, await wholeChain(sequence, [21, 22]));
    expect(await listed(sequences)).toMatchObject([{ sequenceId, state: "sealed", framesReceived: 2 }]);
    const { frames } = (await sequences.commit(sequence)).body;
    expect(await listed(sequences)).toEqual([]);

    const hash = frames[1]?.originalImageHash;
    const query = `?originalImageHash=${hash}`;
    const frame = {
      registrationId: null,
      imageHash: imageHash(await picture(22)),
      originalImageHash: hash,
      registeredAt: expect.stringMatching(/Z$/),
      manifests: [{ type: "credit", form: "json" }],
      source: "sequence",
      sequenceId,
      frameId: 2,
    };
    expect(await registrations(query)).toEqual({ registrations: [frame], next: null });
    expect(await registrations(query, stranger)).toEqual({ registrations: [], next: null });
    expect((await registrations()).registrations.filter(({ source }) => source === "sequence")).toEqual([]);

    const still = await sharp(await picture(22))
      .jpeg({ quality: 60 })
      .toBuffer();
    const own = { kind: "frame", sequenceId, frameId: 2 };
    expect((await inspect(still)).matches).toMatchObject([{ originalImageHash: hash, own }]);
    expect((await inspect(still, stranger)).matches).toMatchObject([{ originalImageHash: hash, own: null }]);
  });
});

const operator = (): OperatorClient =>
  new OperatorClient({ baseUrl: service.baseUrl(), token: service.adminToken });

async function operations(of: TestAccount): Promise<readonly OperationRow[]> {
  const rows: OperationRow[] = [];
  for await (const row of operator().operations(of.accountId)) rows.push(row);
  return rows;
}

describe("the operator", () => {
  it("suspends an account and resumes it: its tokens open nothing meanwhile, its records stay", async () => {
    const held = await service.account();
    const client = service.clientOf(held);
    const { body } = await client.register(await picture(91));
    for (let times = 0; times < 2; times += 1) {
      await operator().suspendAccount(held.accountId, "unpaid – überfällig");
    }
    const { suspendedAt } = await operator().suspension(held.accountId);
    expect(suspendedAt).toMatch(/Z$/);
    expect((await operator().suspensions()).suspensions).toEqual([
      { accountId: held.accountId, suspendedAt },
    ]);
    expect((await client.call("GET", "/account/stats")).status).toBe(401);
    expect((await slots.record(body.originalImageHash)).body.outcome).toBe("published");
    await operator().resumeAccount(held.accountId, "paid");
    expect((await operator().suspensions()).suspensions).toEqual([]);
    expect((await client.call("GET", "/account/stats")).status).toBe(200);
    const rows = await operations(held);
    expect(rows.map(({ kind, reason }) => [kind, reason])).toEqual([
      ["suspended", "unpaid – überfällig"],
      ["resumed", "paid"],
    ]);
  });

  it("lets a token expire, and no other", async () => {
    const held = await service.account();
    const { tokenId, token } = await operator().mintToken(held.accountId);
    const client = new SlotClient(service.baseUrl(), token);
    await operator().setTokenExpiry(held.accountId, tokenId, new Date("2999-01-01"));
    expect((await client.call("GET", "/account/stats")).status).toBe(200);
    await operator().setTokenExpiry(held.accountId, tokenId, new Date());
    expect((await client.call("GET", "/account/stats")).status).toBe(401);
    expect((await service.clientOf(held).call("GET", "/account/stats")).status).toBe(200);
    const other = await service.account();
    const admin = new SlotClient(service.baseUrl(), service.adminToken);
    const path = `/admin/accounts/${other.accountId}/tokens/${tokenId}/expiry`;
    expect((await admin.call("PUT", path, { expiresAt: null })).status).toBe(404);
    for (const expiresAt of ["soon", "2026-02-31T00:00:00Z", "+099999-01-01T00:00:00Z", 5]) {
      expect((await admin.call("PUT", path, { expiresAt })).status).toBe(400);
    }
  });

  it("takes down a frame of a committed sequence, an original, and all of an account, and says why", async () => {
    const held = await createAccount(service.baseUrl(), service.adminToken, {
      registrations: 10,
      lookups: 50,
      sequencesEnabled: true,
    });
    const frames = new SequenceClient(service.baseUrl(), held.token);
    const sequence = (await frames.openSequence()).body;
    await frames.admit(sequence, await wholeChain(sequence, [92, 93]));
    expect((await frames.commit(sequence)).body.outcome).toBe("registered");
    const registered = (await frames.register(await picture(94))).body;
    const hash = blake3Hex(await picture(92));
    const reason = "Court order 12/34.";
    await operator().takeDownOriginal(hash, reason);
    await expect(operator().takeDownOriginal(hash, reason)).rejects.toMatchObject({ status: 404 });
    expect((await frames.lookUp(await picture(92))).body.matched).toBe(false);
    expect((await frames.record(hash)).body.outcome).not.toBe("published");
    expect((await frames.results(sequence)).status).toBe(200);
    const all = await operator().takeDownAccount(held.accountId, reason);
    expect(all).toEqual({ takenDown: 2, more: false });
    expect((await frames.lookUp(await picture(94))).body.matched).toBe(false);
    expect((await frames.takeDown(registered.id)).status).toBe(404);
    const again = (await frames.register(await picture(94))).status;
    expect(again).toBe(200);
    const rows = await operations(held);
    expect(rows.map(({ kind, reason: why }) => [kind, why])).toEqual(rows.map(() => ["takenDown", reason]));
    expect(await verifyLedger(rows)).toMatchObject({ intact: true, rows: 3 });
    const path = `/admin/originals/${hash}/take-down`;
    expect((await frames.call("POST", path, { reason })).status).toBe(401);
    expect(await service.fsck({ atRest: true, signatures: true })).toEqual([]);
  });
});

describe("what was registered before sizes and sources were kept", () => {
  it("has its source by the usage ledger, and places in its proportions", async () => {
    const bytes = await sharp(await picture(41))
      .resize(960, 640)
      .jpeg()
      .toBuffer();
    const { slotId } = (await slots.openSlot()).body;
    await slots.upload(slotId, [{ bytes }]);
    await slots.commit(slotId);
    const { originalImageHash } = (await registrations()).registrations[0]!;

    await service.stop();
    await service.startProcess();
    const { database } = service;
    // The schema as the version before left it; the next start migrates it again.
    await sql`alter table original drop column width, drop column height`.execute(database);
    await sql`alter table slot_entry drop column width, drop column height`.execute(database);
    await sql`alter table frame_packet drop column width, drop column height`.execute(database);
    await sql`create index registration_account_id_idx on registration (account_id)`.execute(database);
    await sql`drop index registration_account_id_registered_at_registration_id_idx`.execute(database);
    await sql`alter table registration drop column from_slot`.execute(database);
    await sql`delete from schema_migration where name like '%-places.sql'`.execute(database);
    await service.stop();
    await service.startProcess();
    slots = service.clientOf(account);

    const sources = (await registrations()).registrations.map(({ source }) => source);
    expect(sources).toEqual(["slot", "slot", "slot", "slot", "single"]);
    const half = await sharp(bytes).extract({ left: 0, top: 0, width: 480, height: 640 }).jpeg().toBuffer();
    const [match] = (await inspect(half)).matches;
    expect(match).toMatchObject({ originalImageHash, originalWidth: 480, originalHeight: 320 });
    const xs = match?.part?.map(([x]) => x) ?? [];
    expect(Math.max(...xs)).toBeCloseTo(240, -1);
    expect((await inspect(bytes)).matches).toMatchObject([
      { relation: "identical", originalWidth: 960, originalHeight: 640, scale: 1 },
    ]);
    expect((await slots.lookUp(half)).body).toMatchObject<Partial<LookupVerdict>>({ matched: true });
  });
});

/** Labels and original image hashes of the stores that state a binding. */
async function foundStores(): Promise<unknown> {
  const path = "/c2pa/v1/matches/byBinding?alg=com.example.mark.1&value=dmFsdWU";
  const { matches } = (await slots.call<C2paMatches>("GET", path)).body;
  return matches.map(({ manifestId, endpoint }) => [manifestId, endpoint.split("/").at(-1)]);
}

describe("C2PA stores", () => {
  const softBindings = [{ alg: "com.example.mark.1", values: [Buffer.from("value")] }];
  const manifest = (label: string): ManifestPart => ({
    kind: "c2pa",
    type: "application/c2pa",
    bytes: unsignedStore([{ label, softBindings }]),
  });

  it("of slots and frames are found, by a database from before too, until they are taken down", async () => {
    const { slotId } = (await slots.openSlot()).body;
    await slots.upload(slotId, [{ bytes: await picture(51), manifests: [manifest("urn:c2pa:slot")] }]);
    await slots.commit(slotId);
    const [own] = (await registrations()).registrations;
    sequences = new SequenceClient(service.baseUrl(), account.token);
    const sequence = (await sequences.openSequence({ manifests: [manifest("urn:c2pa:film")] })).body;
    await sequences.admit(sequence, await wholeChain(sequence, [52]));
    const [frame] = (await sequences.commit(sequence)).body.frames;
    const film = await fetch(`${service.baseUrl()}/c2pa/v1/manifests/urn:c2pa:film`, {
      headers: { authorization: `Bearer ${account.token}` },
    });
    expect(new Uint8Array(await film.arrayBuffer())).toEqual(manifest("urn:c2pa:film").bytes);
    const both = [
      ["urn:c2pa:slot", own?.originalImageHash],
      ["urn:c2pa:film", frame?.originalImageHash],
    ];
    expect(await foundStores()).toEqual(both);
    expect(await service.fsck({ atRest: true, signatures: true })).toEqual([]);

    const restart = async (): Promise<void> => {
      await service.stop();
      await service.startProcess();
      slots = service.clientOf(account);
    };
    await restart();
    // As a build leaves them that does not read values which are texts.
    await sql`delete from c2pa_store`.execute(service.database);
    await sql`delete from schema_migration where name = '0038-c2pa-texts.sql'`.execute(service.database);
    await restart();
    expect(await foundStores()).toEqual(both);
    await sql`drop table c2pa_binding, c2pa_store, c2pa_unread`.execute(service.database);
    await sql`delete from schema_migration where name like '%-c2pa%.sql'`.execute(service.database);
    await restart();
    expect(await foundStores()).toEqual(both);
    await sql`delete from c2pa_binding where image_no = (select max(image_no) from c2pa_store)`.execute(
      service.database,
    );
    expect(await service.fsck({ atRest: true, signatures: true })).toHaveLength(1);
    await slots.call("DELETE", `/registrations/${own?.registrationId}`);
    expect(await foundStores()).toEqual([]);
    expect((await slots.call("GET", "/c2pa/v1/manifests/urn:c2pa:slot")).status).toBe(404);
  });
});
