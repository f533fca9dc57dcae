import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyLedger } from "@colophon/formats";
import type {
  CustodyRow,
  Inspection,
  LookupVerdict,
  PublishedRecord,
  Registration,
} from "@colophon/contract";
import type { SlotClient } from "@colophon/testing/slot-client.ts";
import { AddressRanges } from "../../src/config/address-ranges.ts";
import { boundedAs, clientAddress } from "../../src/http/client-address.ts";
import { RateLimit } from "../../src/http/anonymous/rate-limit.ts";
import { Turnstile } from "../../src/registry/turnstile.ts";
import { imageHash, picture } from "@colophon/testing/test-pictures.ts";
import { jsonManifest, SlotService } from "../support/slot-service.ts";

const RECORDS_ONLY = 1;
const BEHIND_PROXY = { COLOPHON_TRUSTED_PROXIES: "127.0.0.0/8,::1" };
const LOOKUPS_A_MINUTE = 4;
const RECORDS_A_MINUTE = 6;

let service: SlotService;
let account: SlotClient;
let registered: Registration;
let image: Uint8Array;
let addresses = 0;

/** A caller without a token, by default from an address that nobody has called from. */
class Stranger {
  readonly #at: number;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ at = 0, address = newAddress(), headers = {} }: StrangerOptions = {}) {
    this.#at = at;
    this.#headers = { "x-forwarded-for": address, ...headers };
  }

  send(method: string, path: string, body?: FormData | object): Promise<Response> {
    const isForm = body instanceof FormData;
    return fetch(service.baseUrl(this.#at) + path, {
      method,
      headers: { ...this.#headers, ...(body && !isForm ? { "content-type": "application/json" } : {}) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
  }

  lookUp(query: Uint8Array = image, path = "/lookup"): Promise<Response> {
    const form = new FormData();
    form.append("image", new Blob([Uint8Array.from(query)], { type: "image/jpeg" }), "query.jpg");
    return this.send("POST", path, form);
  }

  record(): Promise<Response> {
    return this.send("GET", `/records/${registered.originalImageHash}`);
  }
}

interface StrangerOptions {
  readonly at?: number;
  readonly address?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function newAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

async function ledger(): Promise<readonly CustodyRow[]> {
  const response = await fetch(`${service.baseUrl()}/admin/custody/anonymous`, {
    headers: { authorization: `Bearer ${service.adminToken}` },
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
  return (await response.text())
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as CustodyRow);
}

/** One process that opens look-ups and one that opens records only, on the same data. */
beforeAll(async () => {
  service = await SlotService.start({
    ...BEHIND_PROXY,
    COLOPHON_PUBLIC: "lookups",
    COLOPHON_PUBLIC_LOOKUPS_PER_MINUTE: String(LOOKUPS_A_MINUTE),
    COLOPHON_PUBLIC_RECORDS_PER_MINUTE: String(RECORDS_A_MINUTE),
  });
  await service.startProcess({ COLOPHON_PUBLIC: "records", COLOPHON_C2PA: "public" });
  account = await service.client(10, 10);
  image = await picture(901);
  registered = (await account.register(image, [jsonManifest("credit", '{"creator":"Ada"}')])).body;
});
afterAll(() => service[Symbol.asyncDispose]());

describe("without a token", () => {
  test("a look-up is answered, names nothing as one's own, and is charged to nobody", async () => {
    const before = await account.stats();
    const answer = await new Stranger().lookUp();
    expect(answer.status).toBe(200);
    expect((await answer.json()) as LookupVerdict).toEqual({
      matched: true,
      matchedOriginalImageHashes: [registered.originalImageHash],
      candidates: [],
    });
    const inspected = (await (await new Stranger().lookUp(image, "/inspect")).json()) as Inspection;
    expect(inspected.matches).toMatchObject([{ relation: "identical", own: null }]);
    expect(await account.stats()).toEqual({ ...before, callCount: before.callCount + 1 });
  });

  test("both records routes answer as with one, and charge nobody", async () => {
    const stranger = new Stranger();
    const before = await account.stats();
    const { originalImageHash } = registered;
    const record = (await (await stranger.record()).json()) as PublishedRecord;
    const body = { originalImageHashes: [originalImageHash, "0".repeat(64), "no hash"] };
    const { records } = (await (await stranger.send("POST", "/records", body)).json()) as {
      records: PublishedRecord[];
    };
    expect(await account.stats()).toEqual({ ...before, callCount: before.callCount + 1 });
    const proof = await new Stranger().send("GET", `/log/proofs/${originalImageHash}`);
    expect([200, 503]).toContain(proof.status);
    expect(record).toEqual((await account.record(originalImageHash)).body);
    expect(records.map(({ outcome }) => outcome)).toEqual(["published", "noRecordAnswered", "refused"]);
  });

  test("no cache on the way keeps what is answered, so that a take-down holds at once", async () => {
    const proof = `/log/proofs/${registered.originalImageHash}`;
    await expect.poll(async () => (await new Stranger().send("GET", proof)).status).toBe(200);
    const answers = [
      await new Stranger().record(),
      await new Stranger().lookUp(),
      await new Stranger().send("GET", proof),
      await new Stranger().send("GET", "/c2pa/v1/matches/byBinding?alg=a&value=YQ"),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get("cache-control")])).toEqual(
      answers.map(() => [200, "no-store"]),
    );
  });

  test("the pixels are in a ledger of its own, which no account's route shows", async () => {
    const before = (await ledger()).length;
    const query = await picture(902);
    expect((await new Stranger().lookUp(query)).status).toBe(200);
    expect((await new Stranger().lookUp(new Uint8Array(50))).status).toBe(422);
    const rows = await ledger();
    expect(await verifyLedger(toAsync(rows))).toMatchObject({ intact: true });
    expect(rows.slice(before).map(({ kind, subject, check }) => [kind, subject, check])).toEqual([
      ["received", "queryImage", null],
      ["deleted", "queryImage", "zeroed"],
      ["received", "queryImage", null],
      ["deleted", "queryImage", "zeroed"],
    ]);
    expect(rows.at(before)?.imageHash).toBe(imageHash(query));
    const operator = { headers: { authorization: `Bearer ${service.adminToken}` } };
    const nil = "00000000-0000-0000-0000-000000000000";
    for (const path of [nil, `${nil}/custody`, `${nil}/usage`, `${nil}/tokens`]) {
      expect((await fetch(`${service.baseUrl()}/admin/accounts/${path}`, operator)).status).toBe(404);
    }
    for (const [method, path, body] of [
      ["PATCH", nil, '{"lookups":5}'],
      ["POST", `${nil}/tokens`, "{}"],
    ] as const) {
      const url = `${service.baseUrl()}/admin/accounts/${path}`;
      expect((await fetch(url, { ...operator, method, body })).status).toBe(404);
    }
    const list = await (await fetch(`${service.baseUrl()}/admin/accounts`, operator)).text();
    expect(list).not.toContain(nil);
  });

  test("a token that is sent must open an account", async () => {
    for (const authorization of ["Bearer clp_unknown", "Basic abc", ""]) {
      const stranger = new Stranger({ headers: { authorization } });
      expect((await stranger.record()).status).toBe(401);
      expect((await stranger.lookUp()).status).toBe(401);
    }
  });

  test("everything else needs one, look-ups too where records alone are open", async () => {
    const stranger = new Stranger();
    expect((await stranger.send("GET", "/account/stats")).status).toBe(401);
    expect((await stranger.send("POST", "/lookup/slots")).status).toBe(401);
    expect((await stranger.send("GET", "/admin/custody/anonymous")).status).toBe(401);
    const reader = new Stranger({ at: RECORDS_ONLY });
    expect((await reader.record()).status).toBe(200);
    expect((await reader.lookUp()).status).toBe(401);
    expect((await reader.lookUp(image, "/inspect")).status).toBe(401);
  });
});

describe("without a token, Content Credentials", () => {
  const BINDING = "/c2pa/v1/matches/byBinding?alg=a&value=YQ";

  test("are resolved where look-ups are open, or they alone", async () => {
    for (const at of [0, RECORDS_ONLY]) {
      const stranger = new Stranger({ at });
      expect((await stranger.lookUp(image, "/c2pa/v1/matches/byContent")).status).toBe(200);
      expect((await stranger.send("GET", BINDING)).status).toBe(200);
      expect((await stranger.send("GET", "/c2pa/v1/manifests/none")).status).toBe(404);
    }
  });

  test("count as a look-up by content, else as a read of a record", async () => {
    const stranger = new Stranger({ at: RECORDS_ONLY });
    for (let call = 0; call < RECORDS_A_MINUTE; call += 1) {
      expect((await stranger.send("GET", BINDING)).status).toBe(200);
    }
    expect((await stranger.record()).status).toBe(429);
    expect((await stranger.lookUp(image, "/c2pa/v1/matches/byContent")).status).toBe(200);
  });
});

describe("without a token, past the bound", () => {
  test("an address is refused and told when to come again; others, and accounts, are not", async () => {
    const stranger = new Stranger();
    const statuses: number[] = [];
    // What is no picture counts like a verdict.
    for (let call = 0; call < LOOKUPS_A_MINUTE; call += 1) {
      statuses.push((await stranger.lookUp(new Uint8Array(50))).status);
    }
    expect(statuses).toEqual(statuses.map(() => 422));
    const refused = await stranger.lookUp();
    expect(refused.status).toBe(429);
    expect(refused.headers.get("content-type")).toBe("application/problem+json");
    expect(await refused.json()).toMatchObject({
      title: "Too many requests",
      type: "urn:colophon:problem:too-many-requests",
      status: 429,
    });
    const seconds = Number(refused.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect((await stranger.record()).status).toBe(200);
    expect((await new Stranger().lookUp()).status).toBe(200);
    expect((await account.lookUp(image)).status).toBe(200);
  });

  test("both records routes share one bound, and an IPv6 /64 is one address", async () => {
    const within = [1, 2, 3].flatMap((host) => [
      new Stranger({ address: `2001:db8:0:7::${host}` }).record(),
      new Stranger({ address: `2001:db8:0:7:${host}::` }).send("POST", "/records", {
        originalImageHashes: [],
      }),
    ]);
    expect((await Promise.all(within)).map(({ status }) => status)).toEqual([200, 400, 200, 400, 200, 400]);
    expect((await new Stranger({ address: "2001:db8:0:7:ffff::1" }).record()).status).toBe(429);
    expect((await new Stranger({ address: "2001:db8:0:8::1" }).record()).status).toBe(200);
  });

  test("a flood takes turns and leaves everything adding up", async () => {
    const queries = await Promise.all([903, 904, 905, 906].map(picture));
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => new Stranger().lookUp(queries[at % queries.length])),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await service.fsck({ atRest: true })).toEqual([]);
  });
});

describe("whom a request comes from", () => {
  const trusted = new AddressRanges(["10.0.0.0/8", "fd00::/8"]);

  test.each([
    { peer: "203.0.113.5", forwarded: "198.51.100.1", client: "203.0.113.5" },
    { peer: "10.0.0.1", forwarded: "", client: "10.0.0.1" },
    { peer: "10.0.0.1", forwarded: "198.51.100.1", client: "198.51.100.1" },
    { peer: "10.0.0.1", forwarded: "192.0.2.9, 198.51.100.1, 10.2.3.4", client: "198.51.100.1" },
    { peer: "::ffff:10.0.0.1", forwarded: "::ffff:198.51.100.1", client: "198.51.100.1" },
    { peer: "fd00::1", forwarded: "2001:db8::1", client: "2001:db8::1" },
    { peer: "10.0.0.1", forwarded: "unknown, 10.0.0.2", client: "10.0.0.2" },
    { peer: "10.0.0.1", forwarded: "198.51.100.1:4711", client: "10.0.0.1" },
    { peer: "10.0.0.1", forwarded: "10.0.0.9", client: "10.0.0.9" },
  ])("$peer that forwards for '$forwarded' is $client", ({ peer, forwarded, client }) => {
    expect(clientAddress(peer, forwarded, trusted)).toBe(client);
  });

  test("an IPv6 address is bounded by its /64, in whichever spelling", () => {
    const spelled = ["2001:db8::1", "2001:0DB8:0:0:ffff::", "2001:db8:0:0:1:2:3:4", "2001:db8::1%eth0"];
    expect(new Set(spelled.map(boundedAs))).toEqual(new Set(["2001:db8:0:0"]));
    expect(boundedAs("2001:db8:0:1::1")).not.toBe(boundedAs("2001:db8::1"));
    expect(boundedAs("198.51.100.1")).toBe("198.51.100.1");
  });
});

test("a minute begins with its first call, and ends", () => {
  let now = 5_000;
  const limit = new RateLimit(2, () => now);
  expect([limit.count("a"), limit.count("a")]).toEqual([0, 0]);
  now += 20_000;
  expect([limit.count("a"), limit.count("b")]).toEqual([40, 0]);
  now += 40_000;
  expect([limit.count("a"), limit.count("b"), limit.count("b")]).toEqual([0, 0, 20]);
});

test("a turnstile works on so much at once, in order, and refuses what finds no room in line", async () => {
  const turnstile = new Turnstile(2);
  const gates: (() => void)[] = [];
  const entered: number[] = [];
  const works = Array.from({ length: 2 + 2 * 64 }, (_, at) =>
    turnstile.run(async () => {
      entered.push(at);
      if (at === 3) throw new Error("it failed");
      await new Promise<void>((open) => gates.push(open));
    }),
  );
  await expect(turnstile.run(async () => {})).rejects.toMatchObject({ code: "serviceUnavailable" });
  const ended = Promise.allSettled(works);
  expect(entered).toEqual([0, 1]);
  let most = 0;
  for (let open = gates.shift(); open; open = gates.shift()) {
    most = Math.max(most, gates.length + 1);
    open();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await ended).filter(({ status }) => status === "rejected")).toHaveLength(1);
  expect(most).toBe(2);
  expect(entered).toEqual(works.map((_, at) => at));
});

async function* toAsync<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}
