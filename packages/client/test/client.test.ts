import { createHash } from "node:crypto";
import { inspect } from "node:util";
import { ColophonClient, ColophonConnectionError, ColophonError, OperatorClient } from "@colophon/client";
import { verdictOf, verifyRecord } from "@colophon/formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshPhoto, freshPhotos, meddlingFetch, TestService } from "./support.ts";

let service: TestService;

beforeAll(async () => {
  service = await TestService.start();
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

async function refusalOf(call: Promise<unknown>): Promise<ColophonError> {
  const error: unknown = await call.then(
    () => new Error("The call was not refused."),
    (reason: unknown) => reason,
  );
  if (error instanceof ColophonError) return error;
  throw error;
}

async function sha256(file: Blob): Promise<string> {
  return createHash("sha256")
    .update(new Uint8Array(await file.arrayBuffer()))
    .digest("hex");
}

const unavailable = (retryAfter: string): Response =>
  Response.json(
    { title: "Image could not be checked yet", status: 503, detail: "Not yet.", traceId: "t" },
    { status: 503, headers: { "retry-after": retryAfter } },
  );

describe("an image", () => {
  it("is registered, found, verified, taken down and no longer found", async () => {
    const client = await service.client();
    const photo = await freshPhoto();
    const text = '{ "use":"notAllowed", "weight": 1.0,\n "é": "\\u00e9" } ';
    const jumbf = Uint8Array.from([0, 0, 0, 16, ...Buffer.from("jumb"), 0, 0, 0, 8, ...Buffer.from("jumd")]);
    const registration = await client.register(photo, {
      manifests: [
        { kind: "training", json: text },
        { kind: "c2pa", jumbf },
        { kind: "credit", json: { by: "A. Turner" } },
      ],
    });
    expect(registration.imageHash).toBe(await sha256(photo));
    const verdict = await client.lookUp(photo);
    expect(verdict.candidates).toEqual([{ registrationId: registration.id }]);

    const record = await client.record(registration.originalImageHash);
    expect(record.text).toContain(text);
    expect(record.manifests?.map(({ type, payload }) => [type, Buffer.from(payload).toString()])).toEqual([
      ["training", text],
      ["c2pa", Buffer.from(jumbf).toString()],
      ["credit", '{"by":"A. Turner"}'],
    ]);
    const trustRoot = record.verification?.certificateChain.at(-1) ?? "";
    const originalBytes = new Uint8Array(await photo.arrayBuffer());
    expect(verdictOf(verifyRecord(record, { trustRoot, originalBytes }))).toBe("verified");

    await client.takeDown(registration.id);
    expect((await client.lookUp(photo)).matched).toBe(false);
    expect((await client.record(registration.originalImageHash)).outcome).toBe("takenDown");
    expect((await client.stats()).registrations.consumed).toBe(1);
  });

  it("is identified with its place and its record, whose type follows from its outcome", async () => {
    const client = await service.client();
    const photo = await freshPhoto();
    expect(await client.identify(photo)).toEqual([]);
    const { id } = await client.register(photo, {
      manifests: [{ kind: "credit", json: { by: "A. Turner" } }],
    });
    expect((await client.inspect(photo)).matches).toMatchObject([{ relation: "identical" }]);
    const [found, ...others] = await client.identify(photo);
    expect(others).toEqual([]);
    expect(found?.own).toEqual({ kind: "registration", registrationId: id });
    const record = found?.record;
    if (record?.outcome !== "published") throw new Error("It is not published.");
    const signedAt: string = record.verification.signedAtUtc;
    expect(Date.parse(signedAt)).toBeGreaterThan(0);
    const [manifest] = record.manifests;
    expect(manifest?.form === "json" ? manifest.json : null).toEqual({ by: "A. Turner" });
    expect((await client.stats()).lookups.consumed).toBe(4);
  });

  it("is in the account's library until it is taken down", async () => {
    const client = await service.client();
    const photos = await freshPhotos(3);
    const ids: string[] = [];
    for (const photo of photos) ids.push((await client.register(photo)).id);
    const { registrations, next } = await client.library.registrations({ limit: 2 });
    const rest = await client.library.registrations({ limit: 2, after: next ?? undefined });
    const listed = [...registrations, ...rest.registrations];
    expect(listed.map(({ registrationId }) => registrationId)).toEqual(ids.toReversed());
    await client.takeDown(ids[1] ?? "");
    const left: (string | null)[] = [];
    for await (const { registrationId } of client.library.all()) left.push(registrationId);
    expect(left).toEqual([ids[2], ids[0]]);
    const imageHash = listed[0]?.imageHash;
    expect((await client.library.registrations({ imageHash })).registrations).toEqual([listed[0]]);
    expect((await refusalOf(client.library.registration(ids[1] ?? ""))).code).toBe("registrationNotFound");
  });

  it("is sent as a stream that is never held whole", async () => {
    const client = await service.client();
    const photo = await freshPhoto();
    const manifests = [{ kind: "credit", json: { by: "A. Turner" } }];
    const image = { bytes: photo.stream(), type: photo.type, fileName: 'a "quoted" name.jpg' };
    const { imageHash } = await client.register(image, { manifests });
    expect(imageHash).toBe(await sha256(photo));
  });
});

describe("a list of records", () => {
  it("keeps the exact text of each, and names the hash that is refused", async () => {
    const client = await service.client();
    const manifests = [{ kind: "credit", json: '{"n": 1.0 }' }];
    const { originalImageHash } = await client.register(await freshPhoto(), { manifests });
    const records = await client.records([originalImageHash, "no hash", "00".repeat(32)]);
    expect(records.map(({ outcome }) => outcome)).toEqual(["published", "refused", "noRecordAnswered"]);
    expect(records.map(({ failureReason }) => failureReason !== null)).toEqual([false, true, false]);
    const [published] = records;
    if (published === undefined) throw new Error("Nothing was answered.");
    expect(published.text).toContain('{"n": 1.0 }');
    expect(verdictOf(verifyRecord(published))).toBe("unanchored");
  });
});

describe("a refusal", () => {
  it("carries its code and what goes with it", async () => {
    const client = await service.client({ registrations: 2, lookups: 5 });
    const photo = await freshPhoto();
    const { id } = await client.register(photo);
    const again = await refusalOf(client.register(photo));
    if (!again.is("imageNotRegistered")) throw again;
    expect(again.extensions.registrationId).toBe(id);
    expect(again).toMatchObject({ status: 409, title: "Image not registered" });
    expect(again.traceId).not.toBe("");
    await client.register(await freshPhoto());
    const quota = await refusalOf(client.register(await freshPhoto()));
    if (!quota.is("quotaExceeded")) throw quota;
    expect(quota.extensions).toEqual({ registrationRemaining: 0, lookupRemaining: 4 });
    expect((await refusalOf(client.takeDown("no-such-id"))).code).toBe("registrationNotFound");
    expect((await refusalOf(client.record("no hash"))).code).toBe("invalidDeclaredHash");
    const stranger = new ColophonClient({ baseUrl: service.baseUrl, token: "clp_unknown" });
    expect((await refusalOf(stranger.stats())).code).toBe("unauthorized");
  });

  it("of a title newer than the client is told apart from the known ones", async () => {
    const problem = { title: "Something else", status: 418, detail: "New.", traceId: "t", since: 2 };
    const client = await service.client(undefined, async () => Response.json(problem, { status: 418 }));
    expect(await refusalOf(client.stats())).toMatchObject({ code: "unrecognised", extensions: { since: 2 } });
  });

  it("is read in no time however its title is made", async () => {
    const problem = { title: " ".repeat(400_000), status: 418, detail: "New.", traceId: "t" };
    const client = await service.client(undefined, async () => Response.json(problem, { status: 418 }));
    const before = process.cpuUsage().user;
    expect((await refusalOf(client.stats())).code).toBe("unrecognised");
    expect(process.cpuUsage().user - before).toBeLessThan(2_000_000);
  });

  it("is none when what answers is no Colophon service", async () => {
    const client = await service.client(undefined, async () => new Response("<html>", { status: 502 }));
    await expect(client.stats()).rejects.toThrow(ColophonConnectionError);
  });
});

describe("slots", () => {
  it("take, report, change, drop and register images", async () => {
    const client = await service.client();
    const { slots } = client;
    const [photo, other] = [await freshPhoto(), await freshPhoto()];
    const { slotId } = await slots.open();
    const outcomes = await slots.upload(slotId, [
      { image: photo },
      { image: other, manifests: [{ kind: "credit", json: {} }] },
      { image: new Blob(["no image"], { type: "text/plain" }) },
    ]);
    expect(outcomes.map(({ accepted }) => accepted)).toEqual([true, true, false]);
    const [photoHash, otherHash] = [await sha256(photo), await sha256(other)];
    expect(await slots.missing(slotId, [photoHash, "00".repeat(32)])).toEqual(["00".repeat(32)]);
    expect((await slots.get(slotId)).entryCount).toBe(2);
    const manifests = [{ kind: "credit", json: { by: "A. Turner" } }];
    const changed = await slots.replaceManifests(slotId, photoHash, manifests);
    expect(changed.manifestsHash).not.toBeNull();
    expect((await slots.replaceManifests(slotId, photoHash, [])).manifestsHash).toBeNull();
    await slots.remove(slotId, otherHash);
    expect((await slots.entries(slotId)).map(({ imageHash }) => imageHash)).toEqual([photoHash]);
    const { entries } = await slots.commit(slotId);
    expect(entries).toMatchObject([{ imageHash: photoHash, state: "registered" }]);
    expect((await slots.progress(slotId)).counts.registered).toBe(1);
    expect((await refusalOf(slots.abandon(slotId))).code).toBe("slotIsNoLongerOpen");
    const dropped = await slots.open();
    await slots.abandon(dropped.slotId);
    expect((await refusalOf(slots.get(dropped.slotId))).code).toBe("slotNotFound");
  });

  it("look query images up", async () => {
    const client = await service.client();
    const { lookupSlots } = client;
    const [photo, other] = [await freshPhoto(), await freshPhoto()];
    const { originalImageHash } = await client.register(photo);
    const { lookupSlotId } = await lookupSlots.open();
    await lookupSlots.upload(lookupSlotId, [photo, other]);
    const otherHash = await sha256(other);
    expect(await lookupSlots.missing(lookupSlotId, [otherHash])).toEqual([]);
    await lookupSlots.remove(lookupSlotId, otherHash);
    expect(await lookupSlots.entries(lookupSlotId)).toHaveLength(1);
    const queries = await lookupSlots.commit(lookupSlotId);
    expect(queries[0]?.result?.matchedOriginalImageHashes).toEqual([originalImageHash]);
    expect(await lookupSlots.results(lookupSlotId)).toEqual(queries);
    expect((await lookupSlots.progress(lookupSlotId)).counts.answered).toBe(1);
    const dropped = await lookupSlots.open();
    await lookupSlots.abandon(dropped.lookupSlotId);
  });
});

describe("retries", () => {
  it("wait as long as the service asks and send the same bytes again", async () => {
    let calls = 0;
    const own = meddlingFetch(async (_, send) => {
      calls += 1;
      return calls <= 2 ? unavailable("0") : send();
    });
    const client = await service.client(undefined, own);
    const photo = await freshPhoto();
    expect((await client.register(photo)).imageHash).toBe(await sha256(photo));
    expect(calls).toBe(3);
  });

  it("end after as many attempts as allowed, and when the wait is aborted", async () => {
    let calls = 0;
    const own: typeof fetch = async () => {
      calls += 1;
      return unavailable(calls <= 3 ? "0" : "60");
    };
    const token = await service.token();
    const client = new ColophonClient({ baseUrl: service.baseUrl, token, fetch: own, maxAttempts: 3 });
    const error = await refusalOf(client.stats());
    if (!error.is("imageCouldNotBeCheckedYet")) throw error;
    expect({ calls, ...error.extensions }).toEqual({ calls: 3, retryAfterSeconds: 0 });
    const controller = new AbortController();
    const waiting = client.stats({ signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });

  it("never repeat a call that may have been charged", async () => {
    let lost = 0;
    const own = meddlingFetch(async ({ path }, send) => {
      const response = await send();
      if (path !== "/lookup" && !path.startsWith("/records")) return response;
      lost += 1;
      throw new TypeError("connection lost");
    });
    const client = await service.client(undefined, own);
    const { originalImageHash } = await client.register(await freshPhoto());
    await expect(client.lookUp(await freshPhoto())).rejects.toThrow(ColophonConnectionError);
    await expect(client.record(originalImageHash)).rejects.toThrow(ColophonConnectionError);
    expect(lost).toBe(2);
    expect((await client.stats()).lookups.consumed).toBe(2);
  });

  it("repeat a free read whose answer was lost", async () => {
    let calls = 0;
    const own = meddlingFetch(async (_, send) => {
      const response = await send();
      calls += 1;
      if (calls <= 2) throw new TypeError("connection lost");
      return response;
    });
    const client = await service.client(undefined, own);
    expect((await client.stats()).callCount).toBe(3);
  });

  it("end where an answer goes on without end", async () => {
    let sent = 0;
    const own: typeof fetch = async () =>
      new Response(
        new ReadableStream({
          pull: (controller) => {
            sent += 1;
            controller.enqueue(new Uint8Array(8_388_608).fill(0x20));
          },
        }),
      );
    const reach = { baseUrl: service.baseUrl, token: "t", fetch: own };
    await expect(new ColophonClient(reach).stats()).rejects.toThrow("is not a Colophon service");
    const rows = new OperatorClient(reach).usage("00000000-0000-4000-8000-000000000000");
    await expect(rows.next()).rejects.toThrow("is not a Colophon service");
    expect(sent).toBeLessThan(40);
  });

  it("have an address to go to, with its scheme", () => {
    for (const baseUrl of [
      "127.0.0.1:8400",
      "localhost:8400",
      "colophon.example",
      "ftp://colophon.example",
    ]) {
      for (const Client of [ColophonClient, OperatorClient]) {
        expect(() => new Client({ baseUrl, token: "t" })).toThrow(
          `baseUrl must be an http or https URL, not "${baseUrl}".`,
        );
      }
    }
  });

  it("end at once, and quote nothing, when a token cannot be sent", async () => {
    let sent = 0;
    const own: typeof fetch = async () => {
      sent += 1;
      return unavailable("0");
    };
    const options = { baseUrl: service.baseUrl, token: "clp_secret\nclp_more", fetch: own };
    const calls = [new ColophonClient(options).stats(), new OperatorClient(options).custody("any").next()];
    const errors = await Promise.all(calls.map((call) => call.catch((error: unknown) => error)));
    for (const error of errors) {
      expect(error).toBeInstanceOf(TypeError);
      expect(inspect(error, { depth: null })).not.toMatch(/secret|more/);
    }
    expect(sent).toBe(0);
  });

  it("do not send a stream twice", async () => {
    let calls = 0;
    const client = await service.client(undefined, async () => {
      calls += 1;
      return unavailable("0");
    });
    const photo = await freshPhoto();
    await refusalOf(client.lookUp({ bytes: photo.stream(), type: photo.type }));
    expect(calls).toBe(1);
  });
});
