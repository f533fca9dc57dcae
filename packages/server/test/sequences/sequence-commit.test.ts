import { OperatorClient } from "@colophon/client";
import { blake3Hex, sequenceHash } from "@colophon/formats";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  bodyFrame,
  endFrame,
  SequenceClient,
  type TicketedSequence,
} from "@colophon/testing/sequence-client.ts";
import { openedSequence, sequenceClient, wholeChain } from "../support/sequence-service.ts";
import { picture, scene } from "@colophon/testing/test-pictures.ts";
import { SlotService } from "../support/slot-service.ts";

let service: SlotService;
let client: SequenceClient;

beforeAll(async () => {
  service = await SlotService.start();
  client = await sequenceClient(service);
});
afterAll(() => service[Symbol.asyncDispose]());

/** A sealed sequence of three whose second frame somebody has registered since it was admitted. */
async function blockedSequence(
  seeds: readonly [number, number, number],
): Promise<{ sequence: TicketedSequence; images: Uint8Array[]; unblock: () => Promise<unknown> }> {
  const sequence = await openedSequence(client);
  await client.admit(sequence, await wholeChain(sequence, seeds));
  const images = await Promise.all(seeds.map(picture));
  const other = await service.client();
  const registered = await other.register(images[1] ?? new Uint8Array());
  expect(registered.status).toBe(200);
  return { sequence, images, unblock: () => other.takeDown(registered.body.id) };
}

async function outcomeOf(image: Uint8Array): Promise<string> {
  return (await client.record(blake3Hex(image))).body.outcome;
}

describe("a commit that stays incomplete", () => {
  it("publishes what it can, and resumes from there", async () => {
    const { sequence, images, unblock } = await blockedSequence([1, 2, 3]);
    const hashes = images.map(blake3Hex);
    const incomplete = await client.commit(sequence);
    expect(incomplete.status).toBe(200);
    expect(incomplete.body).toEqual({
      sequenceHash: null,
      outcome: "incomplete",
      sequenceRecordPublished: false,
      frames: [
        { frameId: 1, state: "published", originalImageHash: hashes[0], refusalName: null },
        { frameId: 2, state: "notPublished", originalImageHash: null, refusalName: "ImageAlreadyRegistered" },
        { frameId: 3, state: "published", originalImageHash: hashes[2], refusalName: null },
      ],
    });
    expect((await client.progress(sequence)).body.state).toBe("sealed");
    expect((await client.results(sequence)).status).toBe(409);
    await unblock();
    const resumed = await client.commit(sequence);
    expect(resumed.body).toMatchObject({
      sequenceHash: sequenceHash(
        hashes.map((originalImageHash, at) => ({ frameId: at + 1, originalImageHash })),
      ),
      outcome: "registered",
      frames: [{ state: "alreadyPublished" }, { state: "published" }, { state: "alreadyPublished" }],
    });
    expect((await client.commit(sequence)).body).toMatchObject({
      title: "Sequence does not accept this command",
    });
  });

  it("can be mended by another image, which its own frames do not refuse", async () => {
    const { sequence, images } = await blockedSequence([11, 12, 13]);
    await client.commit(sequence);
    const twin = images[0] ?? null;
    const admitted = await client.admit(sequence, [bodyFrame(sequence, 2, twin)]);
    expect(admitted.body.frames).toEqual([{ frameId: 2, errata: false }]);
    const committed = await client.commit(sequence);
    expect(committed.body.outcome).toBe("registered");
    expect(committed.body.frames.map(({ state }) => state)).toEqual([
      "alreadyPublished",
      "alreadyPublished",
      "alreadyPublished",
    ]);
    expect(committed.body.frames[1]?.originalImageHash).toBe(committed.body.frames[0]?.originalImageHash);
  });

  it("withdraws what it has published of a frame that is then replaced or removed", async () => {
    const { sequence, images } = await blockedSequence([21, 22, 23]);
    await client.commit(sequence);
    const [first = new Uint8Array(), , third = new Uint8Array()] = images;
    expect(await outcomeOf(first)).toBe("published");
    await client.admit(sequence, [bodyFrame(sequence, 1, await picture(24))]);
    expect(await outcomeOf(first)).toBe("takenDown");
    expect((await client.lookUp(first)).body.matched).toBe(false);
    await client.remove(sequence, 3);
    expect(await outcomeOf(third)).toBe("takenDown");
    await client.admit(sequence, [bodyFrame(sequence, 3, third), bodyFrame(sequence, 2, await picture(25))]);
    expect((await client.commit(sequence)).body.outcome).toBe("registered");
    expect(await outcomeOf(third)).toBe("published");
  });

  it("says of what two frames show which one does, once the other is replaced", async () => {
    const { sequence, images } = await blockedSequence([34, 35, 34]);
    await client.commit(sequence);
    const [twin = new Uint8Array()] = images;
    const path = `/library/registrations?originalImageHash=${blake3Hex(twin)}`;
    const frameOf = async (): Promise<unknown> =>
      (await client.call<{ registrations: unknown }>("GET", path)).body.registrations;
    expect(await frameOf()).toMatchObject([{ frameId: 1 }]);
    await client.admit(sequence, [bodyFrame(sequence, 1, await picture(36))]);
    expect(await frameOf()).toMatchObject([{ frameId: 3 }]);
    await client.remove(sequence, 3);
    expect(await frameOf()).toEqual([]);
  });

  it("names a frame whose original was taken down since, until that is replaced", async () => {
    const { sequence, images, unblock } = await blockedSequence([26, 27, 28]);
    await client.commit(sequence);
    await unblock();
    const [first = new Uint8Array()] = images;
    const operator = new OperatorClient({ baseUrl: service.baseUrl(), token: service.adminToken });
    await operator.takeDownOriginal(blake3Hex(first), "asked for");
    const incomplete = await client.commit(sequence);
    expect(incomplete.body).toMatchObject({
      outcome: "incomplete",
      frames: [
        { frameId: 1, state: "notPublished", originalImageHash: null, refusalName: "OriginalTakenDown" },
        { frameId: 2, state: "published" },
        { frameId: 3, state: "alreadyPublished" },
      ],
    });
    await client.admit(sequence, [bodyFrame(sequence, 1, await picture(29))]);
    expect((await client.commit(sequence)).body.outcome).toBe("registered");
  });

  it("leaves nothing live once the sequence is abandoned", async () => {
    const { sequence, images } = await blockedSequence([31, 32, 33]);
    await client.commit(sequence);
    expect((await client.abandon(sequence)).body).toMatchObject({ state: "abandoned", packetsPurged: 3 });
    const [first = new Uint8Array()] = images;
    expect(await outcomeOf(first)).toBe("takenDown");
    const again = await openedSequence(client);
    const admitted = await client.admit(again, [bodyFrame(again, 1, first)]);
    expect(admitted.body.frames).toEqual([{ frameId: 1, errata: false }]);
    await client.abandon(again);
  });
});

describe("without an engine", () => {
  it("what an incomplete commit has published is withdrawn all the same", async () => {
    const { sequence, images } = await blockedSequence([101, 102, 103]);
    await client.commit(sequence);
    const { baseUrl } = await service.startProcess({ COLOPHON_ENGINE: "none" });
    const there = new SequenceClient(baseUrl, client.token);
    const [first = new Uint8Array(), , third = new Uint8Array()] = images;
    expect((await there.remove(sequence, 1)).status).toBe(204);
    expect(await outcomeOf(first)).toBe("takenDown");
    expect((await there.abandon(sequence)).body).toMatchObject({ state: "abandoned", packetsPurged: 2 });
    expect(await outcomeOf(third)).toBe("takenDown");
    expect((await client.lookUp(third)).body.matched).toBe(false);
  });
});

describe("a commit", () => {
  it("publishes one image once, however many frames show it", async () => {
    const sequence = await openedSequence(client);
    const image = await picture(41);
    await client.admit(sequence, [
      bodyFrame(sequence, 1, image),
      bodyFrame(sequence, 2, image),
      endFrame(sequence, 3),
    ]);
    const { body } = await client.commit(sequence);
    expect(body.outcome).toBe("registered");
    expect(body.frames.map(({ state }) => state)).toEqual(["published", "alreadyPublished"]);
    expect(new Set(body.frames.map(({ originalImageHash }) => originalImageHash))).toEqual(
      new Set([blake3Hex(image)]),
    );
  });

  it("is closed by one of those that run at once", async () => {
    const sequence = await openedSequence(client);
    await client.admit(sequence, await wholeChain(sequence, [51, 52, 53, 54]));
    const replies = await Promise.all(Array.from({ length: 4 }, () => client.commit(sequence)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(3);
  });

  it("finds the engine's record of the sequence if it was made before", async () => {
    const sequence = await openedSequence(client);
    const image = await picture(61);
    await client.admit(sequence, [bodyFrame(sequence, 1, image), endFrame(sequence, 2)]);
    const hash = sequenceHash([{ frameId: 1, originalImageHash: blake3Hex(image) }]);
    await service.database
      .insertInto("sequenceRecord")
      .values({ sequenceHash: Buffer.from(hash, "hex"), sequenceId: sequence.sequenceId })
      .execute();
    expect((await client.commit(sequence)).body).toMatchObject({
      sequenceHash: hash,
      outcome: "alreadyRegistered",
    });
    expect((await client.results(sequence)).body).toMatchObject({
      outcome: "alreadyRegistered",
      finalSize: 1,
    });
  });

  it("fails when service and engine do not compute one hash, and when the engine has lost a frame", async () => {
    const { sequence, images, unblock } = await blockedSequence([71, 72, 73]);
    await client.commit(sequence);
    await unblock();
    const hash = Buffer.from(blake3Hex(images[0] ?? new Uint8Array()), "hex");
    const wrong = Buffer.alloc(32, 7);
    const exchange = (from: Buffer, to: Buffer): Promise<unknown> =>
      sql`update original set original_image_hash = ${to} where original_image_hash = ${from}`.execute(
        service.database,
      );
    await exchange(hash, wrong);
    const failed = await client.commit(sequence);
    expect(failed.status).toBe(500);
    expect(failed.body).toMatchObject({ title: "Sequence commit failed" });
    expect((await client.progress(sequence)).body.state).toBe("sealed");
    await exchange(wrong, hash);
    await sql`update original set taken_down_at = now() where original_image_hash = ${hash}`.execute(
      service.database,
    );
    expect((await client.commit(sequence)).body).toMatchObject({
      outcome: "incomplete",
      sequenceRecordPublished: false,
      frames: [{ state: "notPublished" }, { state: "alreadyPublished" }, { state: "alreadyPublished" }],
    });
    await sql`update original set taken_down_at = null where original_image_hash = ${hash}`.execute(
      service.database,
    );
    expect((await client.commit(sequence)).body.outcome).toBe("registered");
  });

  it("names a packet that this engine does not read", async () => {
    const sequence = await openedSequence(client);
    await client.admit(sequence, await wholeChain(sequence, [81, 82]));
    await sql`update frame_packet set packet_version = 0 where sequence_id = ${sequence.sequenceId} and frame_id = 1`.execute(
      service.database,
    );
    const { body } = await client.commit(sequence);
    expect(body.outcome).toBe("incomplete");
    expect(body.frames).toMatchObject([
      { state: "notPublished", refusalName: "StoredRegistrationPacketUnreadable" },
      { state: "published", refusalName: null },
    ]);
  });
});

it("frames that look alike do not refuse one another, and each is found", async () => {
  const sequence = await openedSequence(client);
  const whole = await scene(91);
  const frames = await Promise.all(
    [0, 4, 8].map((left) =>
      sharp(whole).extract({ left, top: 0, width: 220, height: 150 }).jpeg().toBuffer(),
    ),
  );
  await client.admit(sequence, [
    ...frames.map((image, at) => bodyFrame(sequence, at + 1, image)),
    endFrame(sequence, 4),
  ]);
  expect((await client.commit(sequence)).body.outcome).toBe("registered");
  const stranger = await sequenceClient(service);
  const query = await sharp(frames[1]).resize(180).jpeg().toBuffer();
  const verdict = (await stranger.lookUp(query)).body;
  expect(verdict.matchedOriginalImageHashes).toContain(blake3Hex(frames[1] ?? new Uint8Array()));
  expect(verdict.candidates).toEqual([]);
});

it("leaves everything consistent", async () => {
  expect(await service.fsck({ atRest: true })).toEqual([]);
});
