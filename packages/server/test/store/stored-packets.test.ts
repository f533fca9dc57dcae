import { engineRefusalSentence, UNREADABLE_PACKET } from "@colophon/contract";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiClient } from "@colophon/testing/api-client.ts";
import type { SlotClient } from "@colophon/testing/slot-client.ts";
import { existingKeyEncryptionKey } from "../../src/config/secret-files.ts";
import { runFsck } from "../../src/fsck/run-fsck.ts";
import { PacketSeal } from "../../src/keys/packet-seal.ts";
import { rotatePacketKey } from "../../src/keys/rotate-packet-key.ts";
import { runKeyRotation } from "../../src/keys/run-key-rotation.ts";
import { Vault } from "../../src/keys/vault.ts";
import { sealedPacketKeys } from "../../src/store/packet-keys.ts";
import { picture, scene } from "@colophon/testing/test-pictures.ts";
import { SlotService } from "../support/slot-service.ts";

let service: SlotService;
let slots: SlotClient;
let images: ApiClient;
let seal: PacketSeal;

beforeAll(async () => {
  service = await SlotService.start({ COLOPHON_LOG_LEVEL: "warn" });
  const account = await service.account();
  slots = service.clientOf(account);
  images = new ApiClient(service.baseUrl(), account.token);
  const vault = new Vault(await existingKeyEncryptionKey(service.dataDir));
  const opened = await PacketSeal.open(service.database, () => Promise.resolve(vault));
  if (opened === null) throw new Error("The deployment has no key for packets.");
  seal = opened;
});
afterAll(() => service[Symbol.asyncDispose]());

interface Original {
  readonly bytes: Uint8Array;
  readonly id: string;
  readonly hash: string;
  readonly imageNo: number;
  readonly packet: Buffer;
}

async function registered(seed: number): Promise<Original> {
  const bytes = await scene(seed);
  const { status, body } = await images.register(bytes);
  expect(status).toBe(200);
  const { rows } = await sql<{ imageNo: number; packet: Buffer }>`
    select image_no, packet from feature join original using (image_no)
    where original_image_hash = decode(${body.originalImageHash}, 'hex')`.execute(service.database);
  const { imageNo, packet } = rows[0]!;
  return { bytes, id: body.id, hash: body.originalImageHash, imageNo, packet };
}

function rotate(): Promise<number> {
  return runKeyRotation({ COLOPHON_DATA_DIR: service.dataDir }, "packet-key", null, { write: () => {} });
}

async function store(imageNo: number, packet: Buffer): Promise<void> {
  await sql`update feature set packet = ${packet} where image_no = ${imageNo}`.execute(service.database);
}

/** The same packet with one byte changed, as it would be sealed. */
async function altered(sealed: Buffer, at: number): Promise<Buffer> {
  const packet = (await seal.open(sealed))!;
  packet[at]! ^= 0x40;
  return seal.seal(packet);
}

async function fsck(): Promise<{ code: number; lines: string }> {
  let lines = "";
  const out = { write: (text: string) => (lines += text) };
  const environment = { COLOPHON_DATA_DIR: service.dataDir };
  return { code: await runFsck(environment, { atRest: false, packets: true }, out), lines };
}

/** The log's lines since it had so many characters. */
function loggedSince(before: number): unknown[] {
  const lines = service.output().slice(before).trim().split("\n");
  return lines.map((line): unknown => JSON.parse(line));
}

async function matched(image: Uint8Array): Promise<readonly string[]> {
  const { status, body } = await images.lookUp(image);
  expect(status).toBe(200);
  return body.matchedOriginalImageHashes.toSorted();
}

function cropOf(bytes: Uint8Array): Promise<Buffer> {
  return sharp(bytes).extract({ left: 20, top: 10, width: 200, height: 140 }).png().toBuffer();
}

function beKilled(): never {
  throw new Error("It was killed.");
}

const VERSION_AT = 3;
const VOCABULARY_AT = 4;

describe("an original whose packet cannot be read", () => {
  let damaged: Original;
  let sound: Original;
  let crop: Buffer;
  let both: Buffer;

  beforeAll(async () => {
    [damaged, sound] = [await registered(1), await registered(2)];
    crop = await cropOf(damaged.bytes);
    both = await sharp({ create: { width: 480, height: 160, channels: 3, background: "#000" } })
      .composite([
        { input: Buffer.from(damaged.bytes), left: 0, top: 0 },
        { input: Buffer.from(sound.bytes), left: 240, top: 0 },
      ])
      .png()
      .toBuffer();
  });

  it("is found by a crop and in a montage while it can", async () => {
    expect(await matched(crop)).toEqual([damaged.hash]);
    expect(await matched(both)).toEqual([damaged.hash, sound.hash].toSorted());
  });

  it.each([
    ["has lost its seal", (sealed: Buffer) => Buffer.from(sealed).fill(0, 40, 41), "its seal does not open"],
    ["was cut", (sealed: Buffer) => sealed.subarray(0, 20), "its seal does not open"],
    [
      "is of another version",
      (sealed: Buffer) => altered(sealed, VERSION_AT),
      "it is of another version or vocabulary",
    ],
    [
      "is of another vocabulary",
      (sealed: Buffer) => altered(sealed, VOCABULARY_AT),
      "it is of another version or vocabulary",
    ],
  ])("because it %s keeps no other from being found, and is reported", async (_, damage, fault) => {
    await store(damaged.imageNo, await damage(damaged.packet));
    const before = service.output().length;
    expect(await matched(both)).toEqual([sound.hash]);
    expect(await matched(crop)).toEqual([]);
    const report = { msg: "stored packets could not be read", originals: [damaged.imageNo], count: 1 };
    await expect.poll(() => loggedSince(before)).toMatchObject([report, report]);
    expect(await fsck()).toEqual({
      code: 1,
      lines: `broken: a stored packet can be read (original ${damaged.imageNo}: ${fault})\n1 breaches.\n`,
    });

    // Hashes do not need the packet.
    expect(await matched(damaged.bytes)).toEqual([damaged.hash]);
    expect(await matched(await sharp(damaged.bytes).png().toBuffer())).toEqual([damaged.hash]);

    await store(damaged.imageNo, damaged.packet);
    expect(await matched(crop)).toEqual([damaged.hash]);
    expect(await fsck()).toEqual({ code: 0, lines: "All is consistent.\n" });
  });

  it("can be taken down and registered again", async () => {
    await store(damaged.imageNo, await altered(damaged.packet, VERSION_AT));
    expect((await images.takeDown(damaged.id)).status).toBe(204);
    await sql`insert into ranking_part values (${damaged.imageNo}, 'left over')`.execute(service.database);
    expect((await fsck()).lines).toContain(`a taken-down one neither (original ${damaged.imageNo})`);
    await sql`delete from ranking_part where image_no = ${damaged.imageNo}`.execute(service.database);
    expect((await images.register(damaged.bytes)).status).toBe(200);
    expect(await matched(crop)).toEqual([damaged.hash]);
  });
});

it.each([
  ["another version", VERSION_AT],
  ["another vocabulary", VOCABULARY_AT],
])("a packet of %s that a slot holds fails its entry by the contract's sentence", async (_, at) => {
  const bytes = await picture(10 + at);
  const { slotId } = (await slots.openSlot()).body;
  expect((await slots.upload(slotId, [{ bytes }])).body.outcomes[0]).toMatchObject({ accepted: true });
  const { rows } = await sql<{ entryId: number; packet: Buffer }>`
    select entry_id, packet from slot_entry where slot_id = ${slotId}`.execute(service.database);
  const { entryId, packet } = rows[0]!;
  await sql`update slot_entry set packet = ${await altered(packet, at)} where entry_id = ${entryId}`.execute(
    service.database,
  );
  expect((await fsck()).lines).toContain(`(entry ${entryId}: it is of another version or vocabulary)`);
  expect((await slots.commit(slotId)).body.entries[0]).toMatchObject({
    state: "failed",
    failureReason: engineRefusalSentence(UNREADABLE_PACKET),
  });
});

it("packets are sealed again under another key while the service runs, and a rotation goes on where it was killed", async () => {
  const before = await scene(31);
  const { body } = await images.register(before);
  const { slotId } = (await slots.openSlot()).body;
  await slots.upload(slotId, [{ bytes: await picture(32) }]);
  const vault = new Vault(await existingKeyEncryptionKey(service.dataDir));
  await expect(rotatePacketKey(service.database, vault, beKilled)).rejects.toThrow("killed");
  const meanwhile = await scene(33);
  expect((await images.register(meanwhile)).status).toBe(200);
  expect(await rotate()).toBe(0);
  expect((await slots.commit(slotId)).body.entries[0]).toMatchObject({ state: "registered" });
  expect(await matched(await cropOf(before))).toEqual([body.originalImageHash]);
  expect(await matched(await cropOf(meanwhile))).toHaveLength(1);
  expect(await rotate()).toBe(0);

  const latest = (await sealedPacketKeys(service.database)).at(-1)!;
  expect(latest.name).toBe("packet encryption 3");
  const key = new Vault(vault.open(latest.sealed, latest.name));
  const { rows } = await sql<{ packet: Buffer; part: Buffer }>`
    select packet, part from feature join ranking_part using (image_no)`.execute(service.database);
  expect(rows.length).toBeGreaterThan(2);
  for (const { packet, part } of rows) {
    expect(key.open(packet, "registration packet").length).toBeGreaterThan(
      key.open(part, "ranking part").length,
    );
  }
});
