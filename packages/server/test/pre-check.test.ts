import { ERRATA_REASONS, IMAGE_REJECTIONS, type OperationRow } from "@colophon/contract";
import { verifyLedger } from "@colophon/formats";
import { ApiClient } from "@colophon/testing/api-client.ts";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { bodyFrame, type SequenceClient } from "@colophon/testing/sequence-client.ts";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MatchedOriginal } from "../src/engine/port.ts";
import { hindranceOf } from "../src/registry/pre-check.ts";
import { lockAccount } from "../src/store/accounts/grants.ts";
import { unpackWords } from "../src/store/index/packed-words.ts";
import { openedSequence, sequenceClient } from "./support/sequence-service.ts";
import { imageHash } from "@colophon/testing/test-pictures.ts";
import { SlotService } from "./support/slot-service.ts";

const WIDTH = 840;
const HEIGHT = 600;

const painted = (seed: number): Promise<Uint8Array> => paintedPicture(seed, WIDTH, HEIGHT);
/** The picture with others laid on it: [picture, left, top, width]. */
const laidOn = async (
  ground: Uint8Array,
  ...parts: readonly (readonly [Uint8Array, number, number, number])[]
): Promise<Uint8Array> => {
  const laid = parts.map(async ([part, left, top, width]) => ({
    input: await sharp(part).resize({ width }).png().toBuffer(),
    left,
    top,
  }));
  return new Uint8Array(
    await sharp(ground)
      .composite(await Promise.all(laid))
      .jpeg({ quality: 88 })
      .toBuffer(),
  );
};
const spent = async (client: SequenceClient): Promise<readonly [number, number]> => {
  const { registrations, lookups } = (
    await client.call<Record<"registrations" | "lookups", { consumed: number }>>("GET", "/account/stats")
  ).body;
  return [registrations.consumed, lookups.consumed];
};

const box = (left: number, right: number): MatchedOriginal["shown"] => [
  [
    [left, 0],
    [right, 0],
    [right, 1],
    [left, 1],
  ],
];
const original = (
  imageNo: number,
  shown: MatchedOriginal["shown"],
  relation: MatchedOriginal["relation"] = "derived",
): MatchedOriginal => ({
  imageNo,
  originalImageHash: Buffer.alloc(32, imageNo),
  relation,
  size: null,
  place: { map: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1), lens: null, isInverted: false, isWhole: false },
  shown,
});

describe("what stands against an image", () => {
  it("is equal bytes before all, whatever else is in it", () => {
    const same = original(2, [], "identical");
    expect(hindranceOf([original(1, box(0, 1)), same], 1)).toEqual({
      ground: "alreadyRegistered",
      originals: [same],
    });
  });

  it("is what its originals show together, each place counted once, from the given share on", () => {
    const [left, right] = [original(1, box(0, 0.15)), original(2, box(0.8, 1))];
    expect(hindranceOf([left], 0.25)).toBeNull();
    expect(hindranceOf([left, original(3, box(0, 0.2))], 0.25)).toBeNull();
    expect(hindranceOf([left, right], 0.25)).toEqual({ ground: "derivative", originals: [right, left] });
    expect(hindranceOf([original(4, box(0, 0.25))], 0.25)?.ground).toBe("derivative");
  });

  it("is any original at a share of 0, a whole one at 1, and nothing without an original", () => {
    expect(hindranceOf([original(1, box(0, 0.001))], 0)?.ground).toBe("derivative");
    expect(hindranceOf([original(1, box(0, 0.99))], 1)).toBeNull();
    expect(hindranceOf([original(1, box(0, 1))], 1)?.ground).toBe("derivative");
    expect(hindranceOf([], 0)).toBeNull();
  });
});

describe("a picture that shows what others registered", () => {
  let service: SlotService;
  let owner: SequenceClient;
  let stranger: SequenceClient;
  let small: Uint8Array;
  let carrying: Uint8Array;
  let smallHash: string;

  beforeAll(async () => {
    service = await SlotService.start();
    [owner, stranger] = [await sequenceClient(service), await sequenceClient(service)];
    small = await painted(71);
    const registered = await stranger.register(small);
    smallHash = registered.body.originalImageHash;
    carrying = await laidOn(await painted(72), [small, 20, 20, 320]);
  }, 200_000);
  afterAll(() => service[Symbol.asyncDispose]());

  it("registers alone, in a slot and as a frame, and costs no look-up", async () => {
    const before = await spent(owner);
    const slots = service.clientOf({ accountId: "", token: owner.token });
    const { slotId } = (await slots.openSlot()).body;
    expect((await slots.upload(slotId, [{ bytes: carrying }])).body.outcomes[0]).toMatchObject({
      accepted: true,
    });
    expect((await slots.abandon(slotId)).status).toBe(204);
    const sequence = await openedSequence(owner);
    const admitted = await owner.admit(sequence, [bodyFrame(sequence, 1, carrying)]);
    expect(admitted.body.frames).toEqual([{ frameId: 1, errata: false }]);
    const registered = await owner.register(carrying);
    expect(registered.status).toBe(200);
    expect(await spent(owner)).toEqual([before[0] + 1, before[1]]);
  });

  it("is filed under the keys of the whole picture that what it shows has, so that none is told at a glance", async () => {
    const rows = await service.database.selectFrom("feature").select("words").orderBy("imageNo").execute();
    const keys = rows.map(({ words }) => unpackWords(words).filter((word) => word <= -(2 ** 29)));
    expect(keys).toHaveLength(2);
    expect(keys[0]).toHaveLength(4);
    expect(keys[1]).toEqual(keys[0]);
  });

  it("is looked up with all that it contains, byte for byte or coded again", async () => {
    const again = new Uint8Array(await sharp(carrying).jpeg({ quality: 70 }).toBuffer());
    for (const image of [carrying, again]) {
      const { matchedOriginalImageHashes, candidates } = (await owner.lookUp(image)).body;
      expect(matchedOriginalImageHashes).toHaveLength(2);
      expect(matchedOriginalImageHashes).toContain(smallHash);
      expect(candidates).toHaveLength(1);
    }
  });

  it("is a derivative when they show on a quarter of it, and names the caller's that shows most", async () => {
    const [mine, larger] = [await painted(73), await painted(74)];
    const ids = [(await owner.register(mine)).body.id, (await owner.register(larger)).body.id];
    const collage = await laidOn(
      await painted(75),
      [small, 0, 0, 330],
      [mine, 500, 0, 340],
      [larger, 300, 270, 440],
    );
    const before = await spent(owner);
    expect(await owner.register(collage)).toMatchObject({
      status: 409,
      body: { detail: ERRATA_REASONS.derivative, registrationId: ids[1] },
    });
    expect(await spent(owner)).toEqual([before[0], before[1] + 1]);
    const slots = service.clientOf({ accountId: "", token: stranger.token });
    const { slotId } = (await slots.openSlot()).body;
    const [outcome] = (await slots.upload(slotId, [{ bytes: collage }])).body.outcomes;
    expect(outcome).toMatchObject({ accepted: false, rejectionReason: IMAGE_REJECTIONS.derivative });
    const sequence = await openedSequence(owner);
    const admitted = await owner.admit(sequence, [bodyFrame(sequence, 1, collage)]);
    expect(admitted.body.frames).toEqual([{ frameId: 1, errata: true }]);
  });

  it("answers equal bytes alone once it is set aside, until it is reinstated, and says why", async () => {
    const admin = new ApiClient(service.baseUrl(), service.adminToken);
    const act = async (verb: "set-aside" | "reinstate", reason: string): Promise<void> => {
      const path = `/admin/originals/${originalImageHash}/${verb}`;
      expect((await admin.call("POST", path, { reason })).status).toBe(204);
    };
    const form = await painted(76);
    const { originalImageHash } = (await stranger.register(form)).body;
    const [again, samePixels] = [
      new Uint8Array(await sharp(form).jpeg({ quality: 70 }).toBuffer()),
      new Uint8Array(await sharp(form).png().toBuffer()),
    ];
    const matched = async (image: Uint8Array): Promise<readonly string[]> =>
      (await owner.lookUp(image)).body.matchedOriginalImageHashes;
    for (const image of [form, again, samePixels]) expect(await matched(image)).toEqual([originalImageHash]);

    await act("set-aside", 'An empty form, \u201cnobody\u2019s own\u201d:\n"\\"');
    await act("set-aside", "sent twice");
    for (const image of [again, samePixels]) expect(await matched(image)).toEqual([]);
    expect(await matched(form)).toEqual([originalImageHash]);
    expect((await owner.register(form)).status).toBe(409);
    expect((await owner.call("GET", `/records/${originalImageHash}`)).status).toBe(200);
    const derived = await owner.register(again);
    expect(derived.status).toBe(200);
    await owner.takeDown(derived.body.id);

    await act("reinstate", "A photograph after all");
    for (const image of [form, again, samePixels]) expect(await matched(image)).toEqual([originalImageHash]);

    const { accountId } = await service.database
      .selectFrom("original")
      .select("accountId")
      .where("originalImageHash", "=", Buffer.from(originalImageHash, "hex"))
      .executeTakeFirstOrThrow();
    const exported = await fetch(`${service.baseUrl()}/admin/accounts/${accountId}/operations`, {
      headers: { authorization: `Bearer ${service.adminToken}` },
    });
    const rows = (await exported.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as OperationRow);
    expect(rows.map(({ kind, originalImageHash: of }) => [kind, of])).toEqual([
      ["setAside", originalImageHash],
      ["reinstated", originalImageHash],
    ]);
    expect(await verifyLedger(rows)).toMatchObject({ intact: true, rows: 2 });
    expect(await service.fsck({ atRest: false })).toEqual([]);
  });

  it("is refused as registered when the same bytes are registered by then, on every way in", async () => {
    const admin = new ApiClient(service.baseUrl(), service.adminToken);
    const ground = await painted(77);
    const { originalImageHash: groundHash } = (await stranger.register(ground)).body;
    const again = new Uint8Array(await sharp(ground).jpeg({ quality: 70 }).toBuffer());
    const slots = service.clientOf({ accountId: "", token: owner.token });
    const { slotId } = (await slots.openSlot()).body;
    const sequence = await openedSequence(owner);

    // The three have seen the same bytes registered by nobody, and wait for what the comparison reads.
    const index = await service.database.startTransaction().execute();
    await sql`lock table ranking_part in access exclusive mode`.execute(index);
    const asked = Promise.all([
      owner.register(again),
      slots.upload(slotId, [{ bytes: again }]),
      owner.admit(sequence, [bodyFrame(sequence, 1, again)]),
    ]);
    const intents = index
      .selectFrom("engineIntent")
      .where("imageHash", "=", Buffer.from(imageHash(again), "hex"));
    await expect.poll(() => intents.select("accountId").execute()).toHaveLength(3);
    // They compare, find a derivative, and wait for their account to say so.
    const account = await service.database.startTransaction().execute();
    const [intent] = await intents.select("accountId").execute();
    await lockAccount(account, intent?.accountId ?? "");
    await index.rollback().execute();
    await expect
      .poll(() => sql`select from pg_locks where not granted`.execute(service.database))
      .toMatchObject({ rows: { length: 3 } });
    const setAside = await admin.call("POST", `/admin/originals/${groundHash}/set-aside`, {
      reason: "a race",
    });
    expect(setAside.status).toBe(204);
    const registered = await stranger.register(again);
    expect(registered.status).toBe(200);
    await account.rollback().execute();

    const [single, uploaded, admitted] = await asked;
    expect(single).toMatchObject({ status: 409, body: { detail: IMAGE_REJECTIONS.alreadyRegistered } });
    expect(uploaded.body.outcomes[0]).toMatchObject({
      accepted: false,
      rejectionReason: IMAGE_REJECTIONS.alreadyRegistered,
    });
    expect(admitted.body.frames).toEqual([{ frameId: 1, errata: true }]);
    expect((await owner.progress(sequence)).body.errata).toEqual([
      { frameId: 1, originalImageHash: registered.body.originalImageHash },
    ]);
  });

  it("is set aside by an operator's good request only", async () => {
    const admin = new ApiClient(service.baseUrl(), service.adminToken);
    const act = (hash: string, body: object, client = admin): Promise<number> =>
      client.call("POST", `/admin/originals/${hash}/set-aside`, body).then(({ status }) => status);
    expect(await act("0".repeat(64), { reason: "unknown" })).toBe(404);
    expect(await act("no-hash", { reason: "unknown" })).toBe(400);
    for (const body of [
      {},
      { reason: "" },
      { reason: "\u0000" },
      { reason: "x".repeat(501) },
      { reason: "x", kind: 1 },
    ]) {
      expect(await act(smallHash, body)).toBe(400);
    }
    expect(await act(smallHash, { reason: "not mine" }, owner)).toBe(401);
  });
});
