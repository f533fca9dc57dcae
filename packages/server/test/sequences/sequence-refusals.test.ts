import { randomUUID } from "node:crypto";
import { blake3, encodeFrame, type GapFrame, type HeadFrame } from "@colophon/formats";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  bodyFrame,
  endFrame,
  SequenceClient,
  type TicketedSequence,
} from "@colophon/testing/sequence-client.ts";
import { createAccount, type Reply } from "@colophon/testing/api-client.ts";
import { openedSequence, sequenceClient } from "../support/sequence-service.ts";
import { picture } from "@colophon/testing/test-pictures.ts";
import { jsonManifest, SlotService } from "../support/slot-service.ts";

const IMAGE_CAP = 100_000;
let service: SlotService;
let client: SequenceClient;

beforeAll(async () => {
  service = await SlotService.start({ COLOPHON_MAX_IMAGE_BYTES: String(IMAGE_CAP) });
  client = await sequenceClient(service);
});
afterAll(() => service[Symbol.asyncDispose]());

type RouteName = "frames" | "remove" | "commit" | "gaps" | "progress" | "results" | "expect" | "abandon";

function unfinished(state: string): string {
  return `The sequence is ${state} and does not accept this command.`;
}

/** Every route under a sequence, as its caller finds it. */
function everyRoute(
  by: SequenceClient,
  sequence: TicketedSequence,
): Readonly<Record<RouteName, () => Promise<Reply<unknown>>>> {
  return {
    frames: () => by.admit(sequence, [new Uint8Array(68)]),
    remove: () => by.remove(sequence, 1),
    commit: () => by.commit(sequence),
    gaps: () => by.gaps(sequence),
    progress: () => by.progress(sequence),
    results: () => by.results(sequence),
    expect: () => by.expect(sequence, { expectedSize: 3 }),
    abandon: () => by.abandon(sequence),
  };
}

/** A problem as its caller sees it. */
function problem(status: number, title: string, more: object = {}): object {
  return { status, body: { status, title, ...more } };
}

describe("how many an account has under way", () => {
  it("is bounded, also for those who ask at once, until it abandons one", async () => {
    const { accountId, token } = await createAccount(service.baseUrl(), service.adminToken, {
      sequencesEnabled: true,
    });
    const own = new SequenceClient(service.baseUrl(), token);
    await sql`insert into sequence (sequence_id, account_id, state)
      select gen_random_uuid(), ${accountId}::uuid, case n % 2 when 0 then 'open' else 'sealed' end
      from generate_series(1, 255) as n`.execute(service.database);
    await sql`insert into sequence (sequence_id, account_id, state)
      values (gen_random_uuid(), ${accountId}::uuid, 'abandoned')`.execute(service.database);
    const replies = await Promise.all(Array.from({ length: 8 }, () => own.openSequence()));
    const opened = replies.filter(({ status }) => status === 201);
    expect(opened).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expect(reply).toMatchObject(problem(409, "Open-sequence cap reached", { cap: 256 }));
    }
    expect((await client.openSequence()).status).toBe(201);
    for (const { body } of opened) await own.abandon(body);
    expect((await own.openSequence()).status).toBe(201);
    // Sequences without a HEAD, as only this test has them.
    await sql`delete from sequence where account_id = ${accountId}::uuid
      and not exists (select from frame where frame.sequence_id = sequence.sequence_id)`.execute(
      service.database,
    );
  });
});

describe("who may use sequences", () => {
  it("is said by the account's flag", async () => {
    const without = await sequenceClient(service, { sequencesEnabled: false });
    const sequence = { sequenceId: randomUUID(), ticket: "none" };
    const replies = Object.values(everyRoute(without, sequence)).map((call) => call());
    for (const reply of [await without.openSequence(), ...(await Promise.all(replies))]) {
      expect(reply).toMatchObject(problem(403, "Sequences not enabled"));
    }
  });

  it("is said by the ticket, before anything else", async () => {
    const sequence = await openedSequence(client);
    const another = await openedSequence(client);
    const stranger = await sequenceClient(service);
    const { sequenceId, ticket } = sequence;
    const presented: [SequenceClient, TicketedSequence][] = [
      [client, { sequenceId, ticket: "" }],
      [client, { sequenceId, ticket: ticket.slice(1) }],
      [client, { sequenceId, ticket: `${ticket.slice(0, -1)}!` }],
      [client, { sequenceId, ticket: another.ticket }],
      [client, { sequenceId: "nonsense", ticket }],
      [client, { sequenceId: sequenceId.toUpperCase(), ticket }],
      [stranger, sequence],
    ];
    for (const [by, named] of presented) {
      for (const call of Object.values(everyRoute(by, { ...sequence, ...named }))) {
        expect(await call()).toMatchObject(problem(403, "Sequence ticket refused"));
      }
    }
    const unticketed = await client.call("GET", `/sequences/${sequenceId}/progress`);
    expect(unticketed).toMatchObject(problem(403, "Sequence ticket refused"));
  });

  it("does not bring back a sequence that is gone", async () => {
    const sequence = await openedSequence(client);
    const { database } = service;
    await database.deleteFrom("frame").where("sequenceId", "=", sequence.sequenceId).execute();
    await database.deleteFrom("sequence").where("sequenceId", "=", sequence.sequenceId).execute();
    for (const call of Object.values(everyRoute(client, sequence))) {
      expect(await call()).toMatchObject(problem(404, "Sequence not found"));
    }
  });
});

describe("opening a sequence", () => {
  it("takes an expected size and manifests, and nothing else", async () => {
    const malformed = "Malformed request";
    for (const expectedSize of [["0"], ["-1"], ["1.5"], ["1e3"], [" 1"], [""], ["9".repeat(40)], ["x"]]) {
      expect(await client.openSequence({ expectedSize })).toMatchObject(
        problem(400, malformed, {
          detail: "The expectedSize field must be a positive integer.",
        }),
      );
    }
    expect(await client.openSequence({ expectedSize: ["3", "3"] })).toMatchObject(
      problem(400, malformed, {
        detail: "The expectedSize field may be sent once.",
      }),
    );
    const stray = new FormData();
    stray.append("name", "x");
    expect(await client.call("POST", "/sequences", stray)).toMatchObject(problem(400, malformed));
    expect(await client.call("POST", "/sequences", {})).toMatchObject(problem(400, malformed));
    const invalid = jsonManifest("", "{}");
    expect(await client.openSequence({ manifests: [invalid] })).toMatchObject(
      problem(400, "Invalid manifest"),
    );
    const large = jsonManifest("credit", `{"a":"${"x".repeat(1 << 20)}"}`);
    expect(await client.openSequence({ manifests: [large] })).toMatchObject(
      problem(413, "Manifest too large"),
    );
    const many = Array.from({ length: 17 }, () => jsonManifest("credit", "{}"));
    expect(await client.openSequence({ manifests: many })).toMatchObject(problem(400, "Invalid manifest"));
    const opened = await client.openSequence({ expectedSize: ["99999999"] });
    expect((await client.progress(opened.body)).body.expectedSize).toBe(99_999_999);
  });
});

describe("a batch", () => {
  it("is refused for a frame that is not a BODY or an END of this sequence", async () => {
    const sequence = await openedSequence(client);
    const { sequenceId } = sequence;
    const head: HeadFrame = { type: "HEAD", sequenceId, frameId: 0, prev: null, next: null };
    const gap: GapFrame = { type: "GAP", sequenceId, frameId: 2, prev: 1, next: 3, from: 2, to: 2 };
    const other = { ...sequence, sequenceId: randomUUID() };
    const damaged = bodyFrame(sequence, 1, await picture(1));
    damaged[damaged.length >> 1] = 1 + (damaged[damaged.length >> 1] ?? 0);
    const cases: [Uint8Array, string, number | undefined][] = [
      [new Uint8Array(0), "The part is not a valid PX frame container.", undefined],
      [damaged, "The part is not a valid PX frame container.", undefined],
      [await picture(1), "The part is not a valid PX frame container.", undefined],
      [bodyFrame(other, 1, null), "The frame names another sequence.", 1],
      [
        encodeFrame(head),
        "Only BODY and END frames are accepted; the service mints HEAD and GAP frames itself.",
        0,
      ],
      [
        encodeFrame(gap),
        "Only BODY and END frames are accepted; the service mints HEAD and GAP frames itself.",
        2,
      ],
      [bodyFrame(sequence, 1, Buffer.from("GIF89a, or so")), "The frame's image is of no accepted type.", 1],
    ];
    const sound = bodyFrame(sequence, 9, await picture(2));
    for (const [frame, detail, frameId] of cases) {
      const reply = await client.admit(sequence, [sound, frame]);
      expect(reply).toMatchObject(problem(400, "Frame refused", { detail }));
      expect((reply.body as { frameId?: number }).frameId).toBe(frameId);
    }
    const undecodable = bodyFrame(sequence, 1, (await picture(1)).subarray(0, 600));
    expect(await client.admit(sequence, [undecodable])).toMatchObject(
      problem(422, "Image could not be checked", {
        frameId: 1,
      }),
    );
    expect((await client.progress(sequence)).body.framesReceived).toBe(0);
  });

  it("is refused when it is no batch of frame parts", async () => {
    const sequence = await openedSequence(client);
    const malformed = "Malformed request";
    expect(await client.admit(sequence, [])).toMatchObject(
      problem(400, malformed, {
        detail: "The body must carry at least one frame part.",
      }),
    );
    const image = { bytes: await picture(1), type: "image/jpeg" };
    expect(await client.admitParts(sequence, [image])).toMatchObject(problem(400, malformed));
    expect(await client.within(sequence, "POST", "/frames", {})).toMatchObject(problem(400, malformed));
    const field = new FormData();
    field.append("frame", "text");
    expect(await client.within(sequence, "POST", "/frames", field)).toMatchObject(problem(400, malformed));
  });

  it("may hold an image past the per-image cap, which is none of frames", async () => {
    const sequence = await openedSequence(client);
    const image = Buffer.concat([await picture(90), Buffer.alloc(IMAGE_CAP)]);
    const admitted = await client.admit(sequence, [bodyFrame(sequence, 1, image)]);
    expect(admitted).toMatchObject({ status: 201, body: { frames: [{ frameId: 1, errata: false }] } });
  });

  it("is bounded by the account's own request cap, before it is read and while it is", async () => {
    const small = await sequenceClient(service, { maxRequestBytes: 20_000 });
    const sequence = await openedSequence(small);
    const large = Buffer.alloc(20_000);
    expect(await small.admit(sequence, [large])).toMatchObject(problem(413, "Request too large"));
    const boundary = "----frames";
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="f"; filename="f"\r\ncontent-type: application/octet-stream\r\n\r\n`;
    const endless = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from(head));
        for (let n = 0; n < 3; n += 1) controller.enqueue(large.subarray(0, 10_000));
        controller.close();
      },
    });
    const request = {
      method: "POST",
      headers: {
        authorization: `Bearer ${small.token}`,
        "x-sequence-ticket": sequence.ticket,
        "content-type": `multipart/form-data; boundary=${boundary}`,
      },
      body: endless,
      // What the types of the platform leave out: the answer may come while the body is still sent.
      duplex: "half",
    };
    const response = await fetch(`${small.baseUrl}/sequences/${sequence.sequenceId}/frames`, request);
    expect(await response.json()).toMatchObject({ status: 413, title: "Request too large" });
    const fitting = await small.admit(sequence, [bodyFrame(sequence, 1, null)]);
    expect(fitting.status).toBe(201);
  });

  it("is answered for a fault of the service as one, and then changes nothing", async () => {
    const sequence = await openedSequence(client);
    const frame = bodyFrame(sequence, 1, await picture(3));
    await sql`alter table frame_packet add constraint broken check (frame_id < 0) not valid`.execute(
      service.database,
    );
    expect(await client.admit(sequence, [frame])).toMatchObject(problem(500, "Sequence admission failed"));
    await sql`alter table frame_packet drop constraint broken`.execute(service.database);
    expect((await client.progress(sequence)).body.framesReceived).toBe(0);
    expect((await client.admit(sequence, [frame])).status).toBe(201);
  });
});

describe("the states", () => {
  it("refuse the commands they do not accept, and say which they are", async () => {
    const title = "Sequence does not accept this command";
    const open = await openedSequence(client);
    expect(await client.results(open)).toMatchObject(problem(409, title, { detail: unfinished("open") }));
    expect(await client.commit(open)).toMatchObject(
      problem(409, "Sequence not committable", {
        shortfalls: ["notSealed", "notConnected", "noBody"],
      }),
    );
    await client.admit(open, [bodyFrame(open, 1, await picture(4)), endFrame(open, 2)]);
    expect(await client.results(open)).toMatchObject(problem(409, title, { detail: unfinished("sealed") }));
    expect((await client.commit(open)).status).toBe(200);
    const abandoned = await openedSequence(client);
    const image = bodyFrame(abandoned, 1, await picture(5));
    await client.admit(abandoned, [image, bodyFrame(abandoned, 2, null)]);
    expect((await client.abandon(abandoned)).body).toEqual({
      sequenceId: abandoned.sequenceId,
      state: "abandoned",
      packetsPurged: 1,
    });
    for (const [state, sequence] of [
      ["committed", open],
      ["abandoned", abandoned],
    ] as const) {
      const { gaps: _, progress: __, results: ___, ...commands } = everyRoute(client, sequence);
      for (const call of Object.values(commands)) {
        expect(await call()).toMatchObject(problem(409, title, { detail: unfinished(state) }));
      }
      expect((await client.gaps(sequence)).body).toEqual({ gaps: [] });
      expect((await client.progress(sequence)).body.state).toBe(state);
    }
    const results = await client.results(abandoned);
    expect(results).toMatchObject(problem(409, title, { detail: unfinished("abandoned") }));
    expect((await client.progress(abandoned)).body).toMatchObject({ framesReceived: 0, reach: 0 });
  });

  it("too short a sealed chain says so", async () => {
    const sequence = await openedSequence(client);
    await client.admit(sequence, [endFrame(sequence, 1)]);
    expect(await client.commit(sequence)).toMatchObject(
      problem(409, "Sequence not committable", {
        shortfalls: ["noBody", "tooFewFrames"],
      }),
    );
  });

  it("take any size for expected that is a positive integer", async () => {
    const sequence = await openedSequence(client);
    expect((await client.expect(sequence, { expectedSize: 1_000_000_000_000 })).status).toBe(204);
    expect((await client.progress(sequence)).body.expectedSize).toBe(1_000_000_000_000);
    for (const expectedSize of [0, -1, 1.5, "3", null, 2 ** 60]) {
      expect(await client.expect(sequence, { expectedSize })).toMatchObject(
        problem(400, "Malformed request"),
      );
    }
    expect(await client.expect(sequence, {})).toMatchObject(problem(400, "Malformed request"));
    expect(await client.expect(sequence, { expectedSize: 3, more: 1 })).toMatchObject(
      problem(400, "Malformed request"),
    );
    expect(await client.expect(sequence, [])).toMatchObject(problem(400, "Malformed request"));
    for (const frameId of ["7", "x", "-1", "4294967295", "99999999999999999999"]) {
      expect(await client.remove(sequence, frameId)).toMatchObject(problem(404, "Frame not found"));
    }
  });
});

it("needs an engine for frames and commit alone", async () => {
  const sequence = await openedSequence(client);
  const { baseUrl } = await service.startProcess({ COLOPHON_ENGINE: "none" });
  const engineless = new SequenceClient(baseUrl, client.token);
  const { frames, commit, ...others } = everyRoute(engineless, sequence);
  expect(await frames()).toMatchObject(problem(503, "Engine not configured"));
  expect(await commit()).toMatchObject(problem(503, "Engine not configured"));
  expect((await engineless.openSequence()).status).toBe(201);
  for (const call of Object.values(others)) expect((await call()).status).not.toBe(503);
});

it("holds a frame hash to one frame of the account", async () => {
  const [first, second] = [await openedSequence(client), await openedSequence(client)];
  const frame = bodyFrame(first, 1, null);
  await sql`insert into frame (sequence_id, frame_id, account_id, type, prev, next, frame_hash)
    select ${second.sequenceId}::uuid, 1, account_id, 'BODY', 0, 2, ${Buffer.from(blake3(frame))}
    from sequence where sequence_id = ${second.sequenceId}`.execute(service.database);
  expect(await client.admit(first, [frame])).toMatchObject(
    problem(409, "Frame conflict", {
      detail: "A frame with the same hash is already held.",
      frameId: 1,
    }),
  );
});

it("leaves everything consistent", async () => {
  expect(await service.fsck({ atRest: false })).toEqual([]);
});
