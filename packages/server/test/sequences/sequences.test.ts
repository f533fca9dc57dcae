import { blake3Hex, parseRecord, readFrame, sequenceHash, verdictOf, verifyRecord } from "@colophon/formats";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bodyFrame, endFrame, type SequenceClient } from "@colophon/testing/sequence-client.ts";
import { sequenceClient } from "../support/sequence-service.ts";
import { scene } from "@colophon/testing/test-pictures.ts";
import { jsonManifest, SlotService } from "../support/slot-service.ts";

let service: SlotService;
let client: SequenceClient;

beforeAll(async () => {
  service = await SlotService.start();
  client = await sequenceClient(service);
});
afterAll(() => service[Symbol.asyncDispose]());

describe("a sequence", () => {
  it("is registered from frames out of order, in batches, with a gap that is then filled", async () => {
    const opened = await client.openSequence({
      expectedSize: ["4"],
      manifests: [jsonManifest("credit", '{"by": 1}')],
    });
    expect(opened.status).toBe(201);
    expect(Object.keys(opened.body)).toEqual(["sequenceId", "headFrame", "ticket"]);
    const sequence = opened.body;
    expect(readFrame(Buffer.from(sequence.headFrame, "base64")).frame).toMatchObject({
      type: "HEAD",
      sequenceId: sequence.sequenceId,
    });
    const images = await Promise.all([1, 2, 3, 4].map(scene));
    const frames = images.map((image, at) => bodyFrame(sequence, at + 1, image));
    const [one, two, three, four] = frames as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
    const admitted = await client.admit(sequence, [four, one]);
    expect(admitted.body).toEqual({
      frames: [
        { frameId: 4, errata: false },
        { frameId: 1, errata: false },
      ],
      verdict: null,
    });
    expect(admitted.status).toBe(201);
    const sealed = await client.admit(sequence, [endFrame(sequence, 5), two]);
    const verdict = {
      state: "sealed",
      framesReceived: 3,
      expectedSize: 4,
      reach: 2,
      gaps: [{ from: 3, to: 3 }],
      errata: [],
      connected: false,
    };
    expect(sealed.body.verdict).toEqual(verdict);
    expect((await client.progress(sequence)).body).toEqual(verdict);
    const { gaps } = (await client.gaps(sequence)).body;
    expect(gaps).toEqual([{ from: 3, to: 3, gapFrame: expect.any(String) }]);
    expect(readFrame(Buffer.from(gaps[0]?.gapFrame ?? "", "base64")).frame).toEqual({
      type: "GAP",
      sequenceId: sequence.sequenceId,
      frameId: 3,
      prev: 2,
      next: 4,
      from: 3,
      to: 3,
    });
    expect((await client.commit(sequence)).body).toMatchObject({
      title: "Sequence not committable",
      shortfalls: ["notConnected", "gap"],
    });
    expect((await client.admit(sequence, [three])).body).toEqual({
      frames: [{ frameId: 3, errata: false }],
      verdict: null,
    });
    const committed = await client.commit(sequence);
    const bodies = images.map((image, at) => ({ frameId: at + 1, originalImageHash: blake3Hex(image) }));
    expect(committed.body).toEqual({
      sequenceHash: sequenceHash(bodies),
      outcome: "registered",
      sequenceRecordPublished: true,
      frames: bodies.map((body) => ({ ...body, state: "published", refusalName: null })),
    });
    expect((await client.results(sequence)).body).toEqual({
      sequenceHash: sequenceHash(bodies),
      outcome: "registered",
      finalSize: 4,
      committedAt: expect.any(String),
    });
    expect((await client.progress(sequence)).body).toMatchObject({ state: "committed", connected: true });
    const stranger = await sequenceClient(service);
    const crop = await sharp(images[2])
      .extract({ left: 40, top: 30, width: 160, height: 110 })
      .jpeg({ quality: 80 })
      .toBuffer();
    expect((await stranger.lookUp(crop)).body).toEqual({
      matched: true,
      matchedOriginalImageHashes: [blake3Hex(images[2] ?? new Uint8Array())],
      candidates: [],
    });
    const found = images[2] ?? new Uint8Array();
    const response = await fetch(`${service.baseUrl()}/records/${blake3Hex(found)}`, {
      headers: { authorization: `Bearer ${stranger.token}` },
    });
    const record = parseRecord(await response.text());
    expect(record.manifests?.map(({ payload }) => Buffer.from(payload).toString())).toEqual(['{"by": 1}']);
    const trustRoot = record.verification?.certificateChain.at(-1) ?? "";
    expect(verdictOf(verifyRecord(record, { trustRoot, originalBytes: found }))).toBe("verified");
    const refused = await stranger.register(images[0] ?? new Uint8Array());
    expect(refused.body).toMatchObject({ title: "Image not registered" });
    expect(refused.body).not.toHaveProperty("registrationId");
  });
});

it("leaves everything consistent", async () => {
  expect(await service.fsck({ atRest: true })).toEqual([]);
});
