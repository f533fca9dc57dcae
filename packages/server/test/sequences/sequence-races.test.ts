import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bodyFrame, endFrame, SequenceClient } from "@colophon/testing/sequence-client.ts";
import { imageMaker } from "@colophon/testing/test-pictures.ts";
import { openedSequence, sequenceClient } from "../support/sequence-service.ts";
import { SlotService } from "../support/slot-service.ts";

const BODIES = 12;

const image = imageMaker(17);
let service: SlotService;
/** The same account by way of two processes. */
let clients: readonly [SequenceClient, SequenceClient];

beforeAll(async () => {
  service = await SlotService.start();
  const { baseUrl } = await service.startProcess();
  const client = await sequenceClient(service);
  clients = [client, new SequenceClient(baseUrl, client.token)];
});
afterAll(() => service[Symbol.asyncDispose]());

function painted(count: number): Promise<readonly Uint8Array[]> {
  return Promise.all(Array.from({ length: count }, image));
}

describe("at once, by two processes", () => {
  it("batches of one sequence are all taken", async () => {
    const sequence = await openedSequence(clients[0]);
    const images = await painted(BODIES);
    const frames = images.map((bytes, at) => bodyFrame(sequence, at + 1, bytes));
    const replies = await Promise.all(
      frames.map((frame, at) => clients[at % 2 === 0 ? 0 : 1].admit(sequence, [frame])),
    );
    expect(replies.map(({ status }) => status)).toEqual(frames.map(() => 201));
    const sealed = await clients[0].admit(sequence, [endFrame(sequence, BODIES + 1)]);
    expect(sealed.body.verdict).toMatchObject({ framesReceived: BODIES, connected: true });
    const commits = await Promise.all(clients.map((client) => client.commit(sequence)));
    expect(commits.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(commits.filter(({ status }) => status === 409)).toHaveLength(1);
  });

  it("the same frame is one member with one packet", async () => {
    const sequence = await openedSequence(clients[0]);
    const [bytes = null] = await painted(1);
    const frame = bodyFrame(sequence, 1, bytes);
    const replies = await Promise.all(clients.map((client) => client.admit(sequence, [frame])));
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    expect((await clients[1].abandon(sequence)).body.packetsPurged).toBe(1);
  });

  it("removals, replacements and commits leave a chain that can be finished", async () => {
    const sequence = await openedSequence(clients[0]);
    const images = await painted(BODIES + 2);
    const frames = images.map((bytes, at) => bodyFrame(sequence, at + 1, bytes));
    const chain = [...frames.slice(0, BODIES), endFrame(sequence, BODIES + 1)];
    await clients[0].admit(sequence, chain);
    const replacement = bodyFrame(sequence, 3, images[BODIES] ?? null);
    const replies = await Promise.all([
      clients[0].commit(sequence),
      clients[1].admit(sequence, [replacement]),
      clients[1].commit(sequence),
      clients[0].remove(sequence, 5),
      clients[1].remove(sequence, 7),
    ]);
    const expected = [200, 201, 204, 409];
    expect(replies.filter(({ status }) => !expected.includes(status))).toEqual([]);
    const { state } = (await clients[0].progress(sequence)).body;
    const again = await clients[0].admit(sequence, chain);
    const committed = await clients[1].commit(sequence);
    expect([again.status, committed.status]).toEqual(state === "committed" ? [409, 409] : [201, 200]);
    expect((await clients[0].results(sequence)).body.finalSize).toBe(BODIES);
  });
});

it("leaves everything consistent", async () => {
  expect(await service.fsck({ atRest: true })).toEqual([]);
});
