import type {
  Inspection,
  LibraryRegistrations,
  LibrarySequences,
  LibrarySlots,
  LookupVerdict,
} from "@colophon/contract";
import { type ApiClient, createAccount, type TestAccount } from "@colophon/testing/api-client.ts";
import { bodyFrame, SequenceClient } from "@colophon/testing/sequence-client.ts";
import { SlotClient } from "@colophon/testing/slot-client.ts";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wholeChain } from "./support/sequence-service.ts";
import { imageHash, picture, SlotService } from "./support/slot-service.ts";

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
