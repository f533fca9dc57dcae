import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jsonOf } from "./support/answer.ts";
import { type Caller, newAccount } from "./support/caller.ts";
import { type Deployment, deploymentUnderTest } from "./support/deployment.ts";
import { MALFORMED, problem, refusalIn, REGISTRATION_NOT_FOUND } from "./support/problem.ts";
import { freshPicture, sha256 } from "./support/pictures.ts";

interface Listed {
  readonly registrationId: string;
  readonly imageHash: string;
  readonly originalImageHash: string;
  readonly registeredAt: string;
}
interface Page {
  readonly registrations: readonly Listed[];
  readonly next: string | null;
}

const COUNT = 5;

let deployment: Deployment;
let owner: Caller;
let stranger: Caller;
/** In the order registered. */
let ids: string[];
let pictures: Uint8Array<ArrayBuffer>[];

beforeAll(async () => {
  deployment = await deploymentUnderTest();
  owner = (await newAccount(deployment)).caller;
  stranger = (await newAccount(deployment)).caller;
  pictures = await Promise.all(Array.from({ length: COUNT }, () => freshPicture(160, 120)));
  ids = [];
  const manifest = { name: "manifest[a.b]", type: "application/json", body: '{"secret":1}' };
  for (const [n, picture] of pictures.entries()) {
    ids.push(jsonOf<{ id: string }>(await owner.register(picture, n === 0 ? [manifest] : [])).id);
  }
});
afterAll(() => deployment[Symbol.asyncDispose]());

const list = async (query = "", by = owner): Promise<Page> =>
  jsonOf(await by.get(`/library/registrations${query}`));

describe("GET /library/registrations", () => {
  test("lists the caller's registrations, newest first, with every field and no manifest body", async () => {
    const { registrations, next } = await list();
    expect(next).toBeNull();
    expect(registrations.map(({ registrationId }) => registrationId)).toEqual(ids.toReversed());
    const first = registrations.at(-1);
    expect(first).toEqual({
      registrationId: ids[0],
      imageHash: sha256(pictures[0]!),
      originalImageHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      registeredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      manifests: [{ type: "a.b", form: "json" }],
      source: "single",
      sequenceId: null,
      frameId: null,
    });
    expect(jsonOf(await owner.get(`/library/registrations/${ids[0]}`))).toEqual(first);
    expect(await list("", stranger)).toEqual({ registrations: [], next: null });
  });

  test("goes through its pages once, also while registrations come and go", async () => {
    const { caller } = await newAccount(deployment);
    const made: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      made.push(jsonOf<{ id: string }>(await caller.register(await freshPicture(160, 120))).id);
    }
    const first = await list("?limit=2", caller);
    await caller.delete(`/registrations/${made[2]}`);
    await caller.delete(`/registrations/${made[1]}`);
    await caller.register(await freshPicture(160, 120));
    const second = await list(`?limit=2&after=${first.next}`, caller);
    expect([...first.registrations, ...second.registrations].map((each) => each.registrationId)).toEqual([
      made[3],
      made[2],
      made[0],
    ]);
    expect(second.next).toBeNull();
    const gone = await caller.get(`/library/registrations/${made[2]}`);
    expect(refusalIn(gone)).toEqual(problem(REGISTRATION_NOT_FOUND));
  });

  test("finds one by either hash", async () => {
    const { registrations } = await list();
    const [some] = registrations;
    for (const query of [
      `?imageHash=${some!.imageHash}`,
      `?originalImageHash=${some!.originalImageHash}`,
      `?imageHash=${some!.imageHash}&originalImageHash=${some!.originalImageHash}`,
    ]) {
      expect(await list(query)).toEqual({ registrations: [some], next: null });
      expect(await list(query, stranger)).toEqual({ registrations: [], next: null });
    }
    const both = `?imageHash=${some!.imageHash}&originalImageHash=${registrations[1]!.originalImageHash}`;
    expect(await list(both)).toEqual({ registrations: [], next: null });
  });

  test.each([
    "limit=0",
    "limit=201",
    "limit=-1",
    "limit=2.0",
    "limit=",
    "limit=ten",
    "limit=2&limit=3",
    "after=",
    "after=x",
    "after=MC4w",
    "offset=1",
  ])("refuses ?%s", async (query) => {
    expect(refusalIn(await owner.get(`/library/registrations?${query}`))).toEqual(problem(MALFORMED));
  });

  test("refuses a cursor that is changed", async () => {
    const { next } = await list("?limit=1");
    for (const changed of [`${next}A`, `A${next}`, next!.slice(0, -3), `${next}=`]) {
      expect(refusalIn(await owner.get(`/library/registrations?after=${changed}`))).toEqual(
        problem(MALFORMED),
      );
    }
  });

  test.each(["imageHash=", "imageHash=abc", `originalImageHash=${"A".repeat(64)}`])(
    "refuses the hash in ?%s",
    async (query) => {
      expect(refusalIn(await owner.get(`/library/registrations?${query}`))).toEqual(
        problem({ status: 400, title: "Invalid declared hash", condition: "invalid-declared-hash" }),
      );
    },
  );

  test("answers another account's id, and what is no id, as one that never was", async () => {
    for (const id of [ids[0], "00000000-0000-4000-8000-000000000000", "none"]) {
      const answer = await stranger.get(`/library/registrations/${id}`);
      expect(refusalIn(answer)).toEqual(problem(REGISTRATION_NOT_FOUND));
    }
  });

  test("charges nothing", async () => {
    const before = jsonOf<{ lookups: object; registrations: object }>(await owner.get("/account/stats"));
    await list();
    await owner.get("/library/slots");
    const { lookups, registrations } = jsonOf<typeof before>(await owner.get("/account/stats"));
    expect({ lookups, registrations }).toEqual({
      lookups: before.lookups,
      registrations: before.registrations,
    });
  });
});

describe("GET /library/slots and /library/lookup-slots", () => {
  test("list the caller's open slots, newest first, without those that have ended", async () => {
    const open = async (path: string): Promise<string> =>
      Object.values(jsonOf<Record<string, string>>(await owner.send("POST", path), 201))[0]!;
    const slots = [await open("/slots"), await open("/slots"), await open("/slots")];
    const lookupSlots = [await open("/lookup/slots"), await open("/lookup/slots")];
    await owner.delete(`/slots/${slots[1]}`);
    const times = { openedAt: expect.any(String), expiresAt: expect.any(String) };
    expect(jsonOf(await owner.get("/library/slots"))).toEqual({
      slots: [slots[2], slots[0]].map((slotId) => ({ slotId, status: "open", entryCount: 0, ...times })),
    });
    expect(jsonOf(await owner.get("/library/lookup-slots"))).toEqual({
      lookupSlots: lookupSlots
        .toReversed()
        .map((lookupSlotId) => ({ lookupSlotId, entryCount: 0, ...times })),
    });
    expect(jsonOf(await stranger.get("/library/slots"))).toEqual({ slots: [] });
    expect(jsonOf(await stranger.get("/library/lookup-slots"))).toEqual({ lookupSlots: [] });
    expect(jsonOf(await stranger.get("/library/sequences"))).toEqual({ sequences: [] });
  });
});
