import {
  ColophonClient,
  registerSequence,
  type SequenceProgressReport,
  type SequenceResult,
  type UnfinishedSequence,
} from "@colophon/client";
import { blake3Hex, sequenceHash } from "@colophon/formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshPhotos, meddlingFetch, TestService } from "./support.ts";

let service: TestService;

beforeAll(async () => {
  service = await TestService.start();
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

const states = ({ frames }: SequenceResult): string[] => frames.map(({ state }) => state);

async function hashOf(image: Blob): Promise<string> {
  return blake3Hex(new Uint8Array(await image.arrayBuffer()));
}

/** Runs until so many frames are sent, then is aborted; answers what goes on with it. */
async function interrupted(
  client: ColophonClient,
  photos: readonly File[],
  after: number,
): Promise<UnfinishedSequence> {
  const controller = new AbortController();
  let sequence: UnfinishedSequence | undefined;
  const run = registerSequence(client, photos, {
    framesPerBatch: 1,
    concurrency: 1,
    signal: controller.signal,
    onProgress: (progress) => {
      ({ sequence } = progress);
      if (progress.sent === after) controller.abort(new Error("interrupted"));
    },
  });
  await expect(run).rejects.toThrow("interrupted");
  if (sequence === undefined) throw new Error("The sequence was never told.");
  return sequence;
}

describe("registerSequence", () => {
  it("registers frames as one sequence, whose manifests every frame's record carries", async () => {
    const client = await service.client();
    const photos = await freshPhotos(5);
    const seen: SequenceProgressReport[] = [];
    const result = await registerSequence(client, photos, {
      manifests: [{ kind: "credit", json: '{ "by": "A. Turner" }' }],
      expectedSize: 5,
      framesPerBatch: 2,
      onProgress: (progress) => seen.push(progress),
    });
    const hashes = await Promise.all(photos.map(hashOf));
    expect(result.outcome).toBe("registered");
    expect(result.frames).toEqual(
      hashes.map((originalImageHash, at) => ({
        frameId: at + 1,
        originalImageHash,
        state: "published",
        refusalName: null,
      })),
    );
    const own = sequenceHash(hashes.map((originalImageHash, at) => ({ frameId: at + 1, originalImageHash })));
    expect(result.sequenceHash).toBe(own);
    const record = await client.record(hashes[3] ?? "");
    expect(record.text).toContain('{ "by": "A. Turner" }');
    expect(seen.at(0)).toMatchObject({ phase: "sending", frames: 0, sent: 0 });
    expect(seen.at(-1)).toMatchObject({ phase: "done", frames: 5, sent: 5, alreadyHeld: 0, errata: 0 });
    expect(await client.sequences.progress(result.sequence)).toMatchObject({
      state: "committed",
      expectedSize: 5,
    });
    const again = await registerSequence(client, photos, { sequence: result.sequence });
    expect(again).toMatchObject({ outcome: "registered", sequenceHash: own });
    expect(states(again)).toEqual(Array.from({ length: 5 }, () => "alreadyPublished"));
  });

  it("goes on after an interruption, and fills the gap that somebody made meanwhile", async () => {
    const client = await service.client();
    const photos = await freshPhotos(6);
    const sequence = await interrupted(client, photos, 4);
    await client.sequences.removeFrame(sequence, 2);
    const last: { progress?: SequenceProgressReport } = {};
    const result = await registerSequence(client, photos, {
      sequence,
      onProgress: (progress) => (last.progress = progress),
    });
    expect(result.outcome).toBe("registered");
    expect(last.progress).toMatchObject({ frames: 6, alreadyHeld: 3, sent: 3 });
    expect(states(result)).toEqual(Array.from({ length: 6 }, () => "published"));
  });

  it("survives answers that get lost, and a commit that closed the sequence unheard", async () => {
    const calls = { frames: 0, commit: 0 };
    const own = meddlingFetch(async ({ path }, send) => {
      const response = await send();
      const isFrames = path.endsWith("/frames");
      const isCommit = path.endsWith("/commit");
      if (isFrames) calls.frames += 1;
      if (isCommit) calls.commit += 1;
      const isLost = (isFrames && calls.frames % 2 === 1) || (isCommit && calls.commit === 1);
      if (isLost) throw new TypeError("connection lost");
      return response;
    });
    const client = await service.client(undefined, own);
    const result = await registerSequence(client, await freshPhotos(4), { framesPerBatch: 2 });
    expect(result.outcome).toBe("registered");
    expect(result.sequenceHash).not.toBeNull();
    expect(states(result)).toEqual(Array.from({ length: 4 }, () => "alreadyPublished"));
  });

  it("sends no more at once than the account may", async () => {
    const photos = await freshPhotos(5);
    const largest = Math.max(...photos.map(({ size }) => size));
    const client = await service.client({ sequencesEnabled: true, maxRequestBytes: largest + 2048 });
    const result = await registerSequence(client, photos);
    expect(result.outcome).toBe("registered");
  });

  it("names the frames that match registered originals, and leaves them out where that is wanted", async () => {
    const client = await service.client();
    const photos = await freshPhotos(9);
    const registered = [1, 3, 4, 9];
    for (const frameId of registered) {
      const photo = photos[frameId - 1];
      if (photo !== undefined) await client.register(photo);
    }
    const refused = await registerSequence(client, photos, { framesPerBatch: 2 });
    expect(refused).toMatchObject({ outcome: "errata", sequenceHash: null });
    const stateOf = (frameId: number, other: string, kept: string): string =>
      registered.includes(frameId) ? other : kept;
    expect(states(refused)).toEqual(photos.map((_, at) => stateOf(at + 1, "erratum", "notPublished")));

    const sequence = refused.sequence;
    const result = await registerSequence(client, photos, { sequence, leaveOutErrata: true });
    expect(result).toMatchObject({ outcome: "registered", sequence: { leftOut: registered } });
    expect(states(result)).toEqual(photos.map((_, at) => stateOf(at + 1, "leftOut", "published")));
    expect((await client.sequences.results(sequence)).finalSize).toBe(5);
    const hashes = await Promise.all(photos.map(hashOf));
    expect(result.sequenceHash).toBe(
      sequenceHash(
        hashes.flatMap((originalImageHash, at) =>
          registered.includes(at + 1) ? [] : [{ frameId: at + 1, originalImageHash }],
        ),
      ),
    );
  });

  it.each([1, 2, 3, 5, 6])(
    "goes on where it was cut off while it left frames out, at step %i",
    async (step) => {
      const token = await service.token();
      const client = new ColophonClient({ baseUrl: service.baseUrl, token });
      const photos = await freshPhotos(4);
      for (const photo of [photos[1], photos[3]]) if (photo !== undefined) await client.register(photo);
      let steps = 0;
      const cut = meddlingFetch(async ({ method, path }, send) => {
        const response = await send();
        // Two removals for each frame left out, then the frames beside them once more.
        if (method === "DELETE" || (steps > 0 && path.endsWith("/frames"))) steps += 1;
        if (steps === step) throw new TypeError("cut off");
        return response;
      });
      const cutOff = new ColophonClient({ baseUrl: service.baseUrl, token, fetch: cut, maxAttempts: 1 });
      let sequence: UnfinishedSequence | undefined;
      const options = { leaveOutErrata: true, framesPerBatch: 1, concurrency: 1 };
      const onProgress = (progress: SequenceProgressReport): void => void ({ sequence } = progress);
      await expect(registerSequence(cutOff, photos, { ...options, onProgress })).rejects.toThrow("cut off");
      const result = await registerSequence(client, photos, { ...options, sequence });
      expect(result).toMatchObject({ outcome: "registered", sequence: { leftOut: [2, 4] } });
    },
  );

  it("tells what an incomplete commit left, and goes on once that can be published", async () => {
    const other = await service.client();
    const photos = await freshPhotos(3);
    const [, second] = photos;
    if (second === undefined) throw new Error("There is no photo.");
    let id: string | undefined;
    const own = meddlingFetch(async ({ path }, send) => {
      if (path.endsWith("/commit")) id ??= (await other.register(second)).id;
      return send();
    });
    const client = await service.client(undefined, own);
    const incomplete = await registerSequence(client, photos);
    expect(incomplete).toMatchObject({ outcome: "incomplete", sequenceHash: null });
    expect(incomplete.frames.map(({ state, refusalName }) => refusalName ?? state)).toEqual([
      "published",
      "ImageAlreadyRegistered",
      "published",
    ]);
    await other.takeDown(id ?? "");
    const { sequence } = incomplete;
    const result = await registerSequence(client, photos, { sequence });
    expect(result.outcome).toBe("registered");
    expect(states(result)).toEqual(["alreadyPublished", "published", "alreadyPublished"]);
  });

  it("says so when frames are missing that cannot be read again", async () => {
    const client = await service.client();
    const photos = await freshPhotos(3);
    const [, second] = photos;
    if (second === undefined) throw new Error("There is no photo.");
    await client.register(second);
    const once = photos.values();
    const run = registerSequence(client, once, { leaveOutErrata: true });
    await expect(run).rejects.toThrow("cannot be read again");
  });

  it("is not made of nothing", async () => {
    await expect(registerSequence(await service.client(), [])).rejects.toThrow("There is no frame");
  });

  it("is refused to accounts without sequences", async () => {
    const client = await service.client({ registrations: 1 });
    const run = registerSequence(client, await freshPhotos(1));
    await expect(run).rejects.toMatchObject({ code: "sequencesNotEnabled" });
  });
});
