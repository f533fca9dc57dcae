import {
  type BatchFileState,
  type BatchProgress,
  ColophonClient,
  ColophonConnectionError,
  lookUpAll,
  registerAll,
} from "@colophon/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshPhoto, freshPhotos, meddlingFetch, TestService } from "./support.ts";

let service: TestService;

beforeAll(async () => {
  service = await TestService.start();
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

describe("registerAll", () => {
  it("registers each file, names those that do not register, and counts same bytes once", async () => {
    const client = await service.client();
    const photos = await freshPhotos(5);
    const [first] = photos;
    if (first === undefined) throw new Error("There is no photo.");
    const registered = await freshPhoto("registered.jpg");
    const { id, originalImageHash } = await client.register(registered);
    const copy = { name: "folder/copy.jpg", image: first.slice(0, first.size, first.type) };
    const text = new File(["no image"], "notes.txt", { type: "text/plain" });
    const seen: BatchProgress[] = [];
    const { items } = await registerAll(client, [...photos, copy, text, registered], {
      imagesPerUpload: 2,
      onProgress: (progress) => seen.push(progress),
    });
    expect(items.map(({ name }) => name)).toEqual([
      ...photos.map(({ name }) => name),
      "folder/copy.jpg",
      "notes.txt",
      "registered.jpg",
    ]);
    expect(items.map(({ answer }) => answer?.state ?? null)).toEqual([
      ...Array.from({ length: 6 }, () => "registered"),
      null,
      "errata",
    ]);
    expect(items[5]?.answer).toEqual(items[0]?.answer);
    expect(items[6]?.rejectionReason).toBe("Unsupported image content type.");
    expect(items[7]?.answer).toMatchObject({ registrationId: id, originalImageHash });
    const records = await client.records(
      items.slice(0, 5).map(({ answer }) => answer?.originalImageHash ?? ""),
    );
    expect(new Set(records.map(({ outcome }) => outcome))).toEqual(new Set(["published"]));
    expect((await client.stats()).registrations).toMatchObject({ consumed: 6, held: 0 });
    expect(seen.at(0)).toMatchObject({ phase: "hashing", slotId: null, files: 8 });
    expect(seen.at(-1)).toMatchObject({ phase: "done", hashed: 8, images: 7, sent: 7, alreadyHeld: 0 });
    expect(seen.at(-1)?.bytesDone).toBe(seen.at(-1)?.bytes);
    const allSent = seen.filter(({ sent }) => sent === 7);
    expect(new Set(allSent.map(({ bytesDone }) => bytesDone))).toEqual(new Set([seen.at(-1)?.bytes]));
  });

  it("tells of each file how far it has come", async () => {
    const client = await service.client();
    const [photo, another] = await freshPhotos(2);
    if (photo === undefined || another === undefined) throw new Error("There are no photos.");
    const text = new File(["no image"], "notes.txt", { type: "text/plain" });
    const told = new Map<number, BatchFileState[]>();
    const onFile = (at: number, state: BatchFileState): unknown =>
      told.set(at, [...(told.get(at) ?? []), state]);
    const { items } = await registerAll(client, [photo, text, another, photo], { onFile });
    const hashed = items.map(({ imageHash }) => ({ kind: "hashed", imageHash }));
    expect([0, 1, 2, 3].map((at) => told.get(at))).toEqual([
      [hashed[0], { kind: "sending" }, { kind: "held" }],
      [hashed[1], { kind: "sending" }, { kind: "rejected", reason: "Unsupported image content type." }],
      [hashed[2], { kind: "sending" }, { kind: "held" }],
      [hashed[3], { kind: "sending" }, { kind: "held" }],
    ]);
  });

  it("goes on after an interruption without sending again what the slot holds", async () => {
    const client = await service.client();
    const photos = await freshPhotos(6);
    const controller = new AbortController();
    let slotId: string | undefined;
    const interrupted = registerAll(client, photos, {
      imagesPerUpload: 1,
      concurrency: 1,
      signal: controller.signal,
      onProgress: (progress) => {
        slotId = progress.slotId ?? undefined;
        if (progress.sent === 3) controller.abort(new Error("interrupted"));
      },
    });
    await expect(interrupted).rejects.toThrow("interrupted");
    let held = 0;
    const { items } = await registerAll(client, photos, {
      slotId,
      onProgress: ({ alreadyHeld }) => (held = alreadyHeld),
    });
    expect(items.filter(({ sent }) => !sent)).toHaveLength(held);
    expect(held).toBeGreaterThanOrEqual(3);
    expect(items.every(({ answer }) => answer?.state === "registered")).toBe(true);
    const again = await registerAll(client, photos, { slotId });
    expect(again.items.map(({ answer }) => answer)).toEqual(items.map(({ answer }) => answer));
    expect(again.items.some(({ sent }) => sent)).toBe(false);
    expect((await client.stats()).registrations).toMatchObject({ consumed: 6, held: 0 });
  });

  it("survives answers that get lost, and charges nothing twice", async () => {
    let calls = 0;
    const own = meddlingFetch(async ({ path }, send) => {
      const response = await send();
      const isBatch = path.endsWith("/uploads") || path.endsWith("/commit");
      if (isBatch) calls += 1;
      if (isBatch && calls % 2 === 1) throw new TypeError("connection lost");
      return response;
    });
    const client = await service.client(undefined, own);
    const { items } = await registerAll(client, await freshPhotos(4), { imagesPerUpload: 2, concurrency: 1 });
    expect(items.map(({ answer }) => answer?.state)).toEqual(Array.from({ length: 4 }, () => "registered"));
    expect((await client.stats()).registrations.consumed).toBe(4);
  });

  it("waits for a commit that is under way", async () => {
    const token = await service.token();
    const lose = meddlingFetch(async ({ path }, send) => {
      if (!path.endsWith("/commit")) return send();
      void send().catch(() => null);
      throw new TypeError("connection lost");
    });
    const interrupted = new ColophonClient({ baseUrl: service.baseUrl, token, fetch: lose });
    const photos = await freshPhotos(3);
    const controller = new AbortController();
    let slotId: string | undefined;
    const first = registerAll(interrupted, photos, {
      signal: controller.signal,
      onProgress: (progress) => {
        slotId = progress.slotId ?? undefined;
        if (progress.phase === "committing") setTimeout(() => controller.abort(new Error("killed")), 0);
      },
    });
    await expect(first).rejects.toThrow("killed");
    const client = new ColophonClient({ baseUrl: service.baseUrl, token });
    const { items } = await registerAll(client, photos, { slotId });
    expect(items.every(({ answer }) => answer?.state === "registered")).toBe(true);
    expect((await client.stats()).registrations.consumed).toBe(3);
  });

  it("tells how far the commit has come while it is under way", async () => {
    const told = Promise.withResolvers<void>();
    const own = meddlingFetch(async ({ path }, send) => {
      const response = await send();
      if (path.endsWith("/commit")) await told.promise;
      return response;
    });
    const client = await service.client(undefined, own);
    const seen: BatchProgress[] = [];
    await registerAll(client, await freshPhotos(2), {
      onProgress: (progress) => {
        seen.push(progress);
        if (progress.settled > 0) told.resolve();
      },
    });
    const committing = seen.filter(({ phase }) => phase === "committing").map(({ settled }) => settled);
    expect(committing.at(0)).toBe(0);
    expect(committing.at(-1)).toBe(2);
    expect(seen.at(-1)).toMatchObject({ phase: "done", settled: 2 });
  });

  it("registers as many as the grant covers", async () => {
    const client = await service.client({ registrations: 2, lookups: 50 });
    const options = { imagesPerUpload: 1, concurrency: 1 };
    const { items } = await registerAll(client, await freshPhotos(4), options);
    expect(items.map(({ answer }) => answer?.state ?? null)).toEqual([
      "registered",
      "registered",
      null,
      null,
    ]);
    expect(items[3]?.rejectionReason).toContain("remaining registration grant");
    expect(items[3]?.sent).toBe(false);
  });

  it("gives up when the service stays away", async () => {
    const client = new ColophonClient({ baseUrl: "http://127.0.0.1:1", token: "clp_any", maxAttempts: 1 });
    await expect(registerAll(client, [await freshPhoto()])).rejects.toThrow(ColophonConnectionError);
  });
});

describe("uploads past the request cap", () => {
  it("are sent again image by image, and the image that is too long alone keeps no other back", async () => {
    const photos = await freshPhotos(3);
    const largest = Math.max(...photos.map(({ size }) => size));
    const giant = new File([new Uint8Array(8 * 2 ** 20)], "giant.jpg", { type: "image/jpeg" });
    await using small = await TestService.start({ COLOPHON_MAX_REQUEST_BYTES: String(largest + 4096) });
    const { items } = await registerAll(await small.client(), [giant, ...photos]);
    expect(items.map(({ answer, rejectionReason }) => answer?.state ?? rejectionReason)).toEqual([
      "Request exceeds the per-request size cap.",
      "registered",
      "registered",
      "registered",
    ]);
  });
});

describe("lookUpAll", () => {
  it("answers each file with its verdict", async () => {
    const client = await service.client();
    const [known, unknown] = await freshPhotos(2);
    if (known === undefined || unknown === undefined) throw new Error("There are no photos.");
    const { id } = await client.register(known);
    const broken = new File(["no image"], "broken.jpg", { type: "image/jpeg" });
    const { items } = await lookUpAll(client, [known, unknown, broken], { imagesPerUpload: 1 });
    expect(items.map(({ answer }) => answer?.result?.matched ?? answer?.state)).toEqual([
      true,
      false,
      "failed",
    ]);
    expect(items[0]?.answer?.result?.candidates).toEqual([{ registrationId: id }]);
    expect((await client.stats()).lookups).toMatchObject({ consumed: 2, held: 0 });
  });
});
