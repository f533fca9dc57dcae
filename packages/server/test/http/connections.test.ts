import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AccountStats, EXTENSIONS, OperationReason, ROUTES } from "@colophon/contract";
import { ApiClient, createAccount, type TestAccount } from "@colophon/testing/api-client.ts";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { RawConnection } from "@colophon/testing/raw-connection.ts";
import { ServiceProcess, serviceEnvironment } from "@colophon/testing/service-process.ts";

const ADMIN = "connections-test-admin-token";
const DESK = "https://desk.example";
/** A machine that has other work takes a while to send and receive what is to come before the silence. */
const SILENCE_MS = 3_000;
const IMAGE_CAP = 4_194_304;
const REQUEST_CAP = 16_777_216;

let dataDir: string;
let service: ServiceProcess;
let rich: TestAccount;
let poor: TestAccount;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "colophon-connections-"));
  service = await ServiceProcess.start({
    ...serviceEnvironment(dataDir, ADMIN),
    COLOPHON_ALLOWED_ORIGINS: DESK,
    COLOPHON_MAX_DECLARED_HASHES: "10",
    COLOPHON_MAX_IMAGE_BYTES: String(IMAGE_CAP),
    COLOPHON_MAX_REQUEST_BYTES: String(REQUEST_CAP),
    COLOPHON_BODY_MEMORY_BYTES: String(8 * IMAGE_CAP),
    COLOPHON_MAX_RECORD_HASHES: "10",
    COLOPHON_BODY_SILENCE_SECONDS: String(SILENCE_MS / 1000),
  });
  rich = await createAccount(service.baseUrl, ADMIN, {
    registrations: 100,
    lookups: 100,
    sequencesEnabled: true,
  });
  poor = await createAccount(service.baseUrl, ADMIN, {});
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

function get(path: string, token: string, more = ""): string {
  return `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n${more}\r\n`;
}

function post(path: string, token: string, headers: readonly string[], body: string): string {
  const lines = [`POST ${path} HTTP/1.1`, "host: x", `authorization: Bearer ${token}`, ...headers];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

const HEALTH = "GET /health HTTP/1.1\r\nhost: x\r\n\r\n";
const MULTIPART = "content-type: multipart/form-data; boundary=b";
const PART =
  '--b\r\ncontent-disposition: form-data; name="image"; filename="i"\r\ncontent-type: image/jpeg\r\n\r\n';

/** Everything that comes back for some bytes, until the service ends the connection. */
async function exchange(bytes: string): Promise<RawConnection> {
  const connection = await RawConnection.open(service.baseUrl);
  connection.write(bytes);
  await connection.end();
  return connection;
}

/** All that comes back, to the end of the connection, for requests that are followed by an end. */
async function askAndEnd(bytes: string | Uint8Array): Promise<RawConnection> {
  const connection = await RawConnection.open(service.baseUrl);
  connection.socket.end(bytes);
  await connection.end();
  return connection;
}

/** The problem body within the only answer of a connection. */
function problemIn({ received }: RawConnection): Record<string, unknown> {
  expect(received).toMatch(/^content-type: application\/problem\+json\r$/im);
  return JSON.parse(received.slice(received.indexOf("\r\n\r\n") + 4)) as Record<string, unknown>;
}

describe("requests of one connection", () => {
  test("are answered in order, each after the one before it", async () => {
    const answer = await exchange(
      get("/account/stats", rich.token) +
        get("/account/stats", "clp_unknown") +
        post("/slots", rich.token, ["content-length: 2"], "{}") +
        get("/nowhere", rich.token) +
        get("/health", rich.token, "connection: close\r\n"),
    );
    expect(answer.statuses).toEqual([200, 401, 201, 404, 200]);
    const { callCount } = JSON.parse(
      /\{"registrations".*?\}\r?$/m.exec(answer.received.split("HTTP/1.1 401")[0] ?? "")?.[0] ?? "{}",
    );
    expect(callCount).toBe(1);
  });

  test("cost what one costs: nothing is begun before the one before it is answered", async () => {
    using slow = await RawConnection.open(service.baseUrl);
    slow.write(post("/lookup", rich.token, [MULTIPART, "content-length: 500"], PART));
    await sleep(100);
    slow.write(`${"x".repeat(500 - PART.length)}${get("/health", "")}`);
    expect(await slow.answers(2)).toEqual([400, 200]);
  });

  test("wait for their turn, as many as come with one read", async () => {
    using patient = await RawConnection.open(service.baseUrl);
    patient.write(HEALTH.repeat(4_000));
    expect(await patient.answers(4_000)).toEqual(Array.from({ length: 4_000 }, () => 200));
  });

  test("end with bytes that are no request: they are refused in their turn", async () => {
    const answer = await exchange(
      `${get("/account/stats", rich.token)}${get("/health", "")}NONSENSE\r\n\r\n`,
    );
    expect(answer.statuses).toEqual([200, 200, 400]);
    expect(answer.received).toContain("urn:colophon:problem:malformed-request");
  });
});

describe("a client that ends its side once it has asked", () => {
  test.each([
    ["an open one", () => HEALTH, [200]],
    ["one of the account's", () => get("/account/stats", rich.token), [200]],
    ["one of the operator's", () => get("/admin/accounts", ADMIN), [200]],
    ["one that streams", () => get(`/admin/accounts/${rich.accountId}/usage`, ADMIN), [200]],
    ["one that is refused", () => get("/account/stats", "clp_unknown"), [401]],
    ["a page", () => get("/docs/", ""), [200]],
    ["many at once", () => HEALTH.repeat(500) + get("/account/stats", rich.token), Array(501).fill(200)],
  ])("reads the answer to its request, and the end: %s", async (_what, bytes, statuses) => {
    const answer = await askAndEnd(bytes());
    expect(answer.statuses).toEqual(statuses);
  });

  test("reads the verdict of the look-up that it is charged", async () => {
    const { token } = await createAccount(service.baseUrl, ADMIN, { registrations: 0, lookups: 1 });
    const picture = await paintedPicture(73, 160, 120);
    const body = Buffer.concat([Buffer.from(PART), picture, Buffer.from("\r\n--b--\r\n")]);
    const head = post("/lookup", token, [MULTIPART, `content-length: ${body.length}`], "");
    const answer = await askAndEnd(Buffer.concat([Buffer.from(head), body]));
    expect(answer.statuses).toEqual([200]);
    expect(answer.received).toContain('"matched":false');
    const stats = await new ApiClient(service.baseUrl, token).call("GET", "/account/stats");
    expect(stats.body).toMatchObject({ lookups: { consumed: 1 } });
  });

  test("leaves no connection behind, whether it has asked nothing or half of something", async () => {
    expect((await askAndEnd("")).received).toBe("");
    expect((await askAndEnd("GET /health HT")).statuses).toEqual([400]);
    const half = [MULTIPART, `content-length: ${PART.length + 9}`];
    expect((await askAndEnd(post("/registrations", rich.token, half, PART))).statuses).toEqual([400]);
  });
});

describe("a request whose body breaks off", () => {
  /** What else it says of its body, and how it goes on, in a connection that may stay. */
  const [CUT_SHORT, UNREADABLE] = ["content-length: 50", "transfer-encoding: chunked"];

  async function broken(head: string): Promise<RawConnection> {
    if (head.includes(CUT_SHORT)) return askAndEnd(head);
    return exchange(`${head}zz\r\n`);
  }

  test.each([CUT_SHORT, UNREADABLE])(
    "is answered with what it did, where it needs none: %s",
    async (more) => {
      const client = new ApiClient(service.baseUrl, rich.token);
      const opened = await broken(post("/slots", rich.token, [more], ""));
      expect(opened.statuses).toEqual([201]);
      const [slotId = ""] = /(?<="slotId":")[^"]+/.exec(opened.received) ?? [];
      const dropped = post(`/slots/${slotId}`, rich.token, [more], "").replace("POST", "DELETE");
      expect((await broken(dropped)).statuses).toEqual([204]);
      expect((await client.call("GET", `/slots/${slotId}`)).status).toBe(404);
    },
  );

  test.each([CUT_SHORT, UNREADABLE])("is refused and did nothing, where it needs one: %s", async (more) => {
    const client = new ApiClient(service.baseUrl, rich.token);
    const before = await client.call("GET", "/account/stats");
    for (const path of ["/registrations", "/lookup"]) {
      const refused = await broken(post(path, rich.token, [MULTIPART, more], ""));
      expect(refused.statuses).toEqual([400]);
      expect(problemIn(refused)).toMatchObject({ title: "Malformed request" });
    }
    const { registrations, lookups } = before.body as AccountStats;
    expect((await client.call("GET", "/account/stats")).body).toMatchObject({ registrations, lookups });
  });
});

describe("what is no request that can be answered", () => {
  test.each([
    ["without a Host", "GET /health HTTP/1.1\r\nconnection: close\r\n\r\n"],
    ["with two Hosts", "GET /health HTTP/1.1\r\nhost: x\r\nHost: y\r\nconnection: close\r\n\r\n"],
    ["that asks for a tunnel", "CONNECT example.org:443 HTTP/1.1\r\nhost: example.org:443\r\n\r\n"],
    ["of another protocol", "\x16\x03\x01\x02\x00\x01\x00"],
    ["with a head of 40 kB", `GET /health HTTP/1.1\r\nhost: x\r\nx-long: ${"x".repeat(40_000)}\r\n\r\n`],
    ["of two lengths", "POST /slots HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n"],
    [
      "with a body that is not chunked as it says",
      post("/lookup", "clp_x", [MULTIPART, "transfer-encoding: chunked"], "nothing"),
    ],
  ])("is refused in the envelope: one %s", async (_what, bytes) => {
    const answer = await exchange(bytes);
    expect(answer.statuses).toEqual([expect.toBeOneOf([400, 401])]);
    expect(problemIn(answer)).toMatchObject({
      title: expect.toBeOneOf(["Malformed request", "Unauthorized"]),
    });
  });
});

describe("a request that no body could save", () => {
  test.each([
    ["/lookup", "without a look-up left"],
    ["/registrations", "without a registration left"],
  ])("to %s, %s, is refused before its body is sent", async (path) => {
    const head = ["content-length: 1000000", MULTIPART, "expect: 100-continue"];
    using connection = await RawConnection.open(service.baseUrl);
    connection.write(post(path, poor.token, head, ""));
    await connection.answers(1);
    expect(connection.statuses).toEqual([429]);
    expect(connection.received).toContain('"registrationRemaining":0,"lookupRemaining":0');
  });

  test("is refused for its form first, as before", async () => {
    const query = post(
      "/lookup?k=1",
      poor.token,
      ["content-length: 9", MULTIPART, "connection: close"],
      "123456789",
    );
    expect(problemIn(await exchange(query))).toMatchObject({
      status: 400,
      detail: expect.stringContaining("query"),
    });
    const json = post("/lookup", poor.token, ["content-length: 2", "connection: close"], "{}");
    expect(problemIn(await exchange(json))).toMatchObject({
      status: 400,
      detail: expect.stringContaining("multipart"),
    });
  });

  test("is one whose grant is held by a slot, too", async () => {
    const { token } = await createAccount(service.baseUrl, ADMIN, { registrations: 1, lookups: 1 });
    const client = new ApiClient(service.baseUrl, token);
    const picture = await paintedPicture(71, 64, 48);
    const { lookupSlotId } = (await client.call<{ lookupSlotId: string }>("POST", "/lookup/slots")).body;
    const form = new FormData();
    form.append("image", new Blob([Uint8Array.from(picture)], { type: "image/jpeg" }), "a.jpg");
    expect((await client.call("POST", `/lookup/slots/${lookupSlotId}/queries`, form)).status).toBe(200);
    using connection = await RawConnection.open(service.baseUrl);
    connection.write(post("/lookup", token, ["content-length: 1000000", MULTIPART], PART));
    await connection.answers(1);
    expect(connection.statuses).toEqual([429]);
  });
});

describe("a body that nobody asked for", () => {
  test("keeps no answer back that its client waits for before it sends it", async () => {
    const head = ["content-length: 2", "content-type: application/json", "expect: 100-continue"];
    const answer = await exchange(post("/slots", rich.token, head, ""));
    expect(answer.statuses).toEqual([201]);
    expect(answer.received).toMatch(/^connection: close\r$/im);
    expect(answer.received).toContain('"slotId"');
  });

  test("is read to its end by the service where the client reads nothing before", async () => {
    using connection = await RawConnection.open(service.baseUrl);
    connection.socket.pause();
    const size = 8_000_000;
    connection.write(post("/slots", rich.token, [`content-length: ${size}`], "x".repeat(size)));
    await connection.room();
    connection.socket.resume();
    connection.write(HEALTH);
    expect(await connection.answers(2)).toEqual([201, 200]);
    expect(connection.received).toContain('"slotId"');
  });

  test("is read as long as it comes as any body has to, however long that takes", async () => {
    const piece = "x".repeat(65_536);
    const pieces = 24;
    const head = [MULTIPART, `content-length: ${pieces * piece.length}`];
    const asked = [
      [post("/lookup", "clp_unknown", head, ""), 401],
      [post("/slots", rich.token, head, ""), 201],
    ] as const;
    const sent = asked.map(async ([request, status]) => {
      using connection = await RawConnection.open(service.baseUrl);
      connection.socket.pause();
      connection.write(request);
      for (let i = 0; i < pieces; i += 1) {
        connection.write(piece);
        await sleep(500);
      }
      connection.socket.resume();
      expect(await connection.answers(1)).toEqual([status]);
    });
    await Promise.all(sent);
  });

  test.each([
    ["the rest of a body", () => post("/lookup", rich.token, [MULTIPART, "content-length: 99000000"], PART)],
    ["other requests", () => get("/health", "", "connection: close\r\n")],
  ])(
    "is dropped after the last answer, which its client reads when it has sent all: %s",
    async (_, bytes) => {
      using connection = await RawConnection.open(service.baseUrl);
      connection.socket.pause();
      connection.write(bytes());
      for (let sent = 0; sent < 3 * REQUEST_CAP && !connection.ended; sent += IMAGE_CAP) {
        connection.write(HEALTH.repeat(IMAGE_CAP / HEALTH.length));
        await connection.room();
      }
      connection.socket.resume();
      await connection.end();
      expect(connection.statuses).toEqual([expect.toBeOneOf([200, 413])]);
    },
  );

  test("is not waited for longer than ten seconds in silence", async () => {
    const answer = await exchange(post("/slots", rich.token, ["content-length: 2"], "{"));
    expect(answer.statuses).toEqual([201]);
    expect(answer.received).toMatch(/^connection: close\r$/im);
  });
});

describe("a body", () => {
  test("is asked for when it is wanted", async () => {
    using connection = await RawConnection.open(service.baseUrl);
    connection.write(
      post("/lookup", rich.token, ["content-length: 60", MULTIPART, "expect: 100-continue"], ""),
    );
    await connection.answers(1);
    expect(connection.received).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  });

  test("that falls silent or trickles ends its connection", async () => {
    for (const interval of [0, 100]) {
      const connection = await RawConnection.open(service.baseUrl);
      const began = performance.now();
      connection.write(post("/lookup", rich.token, ["content-length: 1000000", MULTIPART], PART));
      const trickle = interval === 0 ? undefined : setInterval(() => connection.write("x"), interval);
      await connection.end();
      clearInterval(trickle);
      expect(connection.received).toBe("");
      expect(performance.now() - began).toBeGreaterThan(SILENCE_MS / 2);
    }
  });

  test.each(["/records", "/slots/none/uploads/missing"])(
    "of a list to %s is no longer than the list may be",
    async (path) => {
      const hashes = Array.from({ length: 11 }, (_, i) => `${i}`.padStart(64, "0"));
      const field = path === "/records" ? "originalImageHashes" : "hashes";
      const client = new ApiClient(service.baseUrl, rich.token);
      for (const times of [1, 100]) {
        const body = { [field]: Array.from({ length: times }, () => hashes).flat() };
        const { status, body: problem } = await client.call<Record<string, unknown>>("POST", path, body);
        expect([status, problem["title"]]).toEqual([400, "Too many declared hashes"]);
      }
      const few = JSON.stringify({ [field]: hashes.slice(1) }).replaceAll(",", `,${" ".repeat(300)}`);
      const within = [`content-length: ${few.length}`, "connection: close"];
      expect((await exchange(post(path, rich.token, within, few))).received).not.toContain("Too many");
      const padded = `{"${field}": []${" ".repeat(80_000)}}`;
      const head = [`content-length: ${padded.length}`, "connection: close"];
      expect(problemIn(await exchange(post(path, rich.token, head, padded)))).toMatchObject({
        title: "Too many declared hashes",
      });
    },
  );

  test("finds room that the unfinished bodies of another account have left", async () => {
    // Alone an account holds half of the memory: four of these.
    const image = Buffer.alloc(IMAGE_CAP - 65_536, 0x5a);
    const uploads = await Promise.all(Array.from({ length: 9 }, () => RawConnection.open(service.baseUrl)));
    const keepUp = setInterval(() => {
      for (const upload of uploads) if (upload.statuses.length === 0) upload.write("x");
    }, 100);
    try {
      for (const upload of uploads) {
        upload.write(post("/lookup", rich.token, [`content-length: ${2 * IMAGE_CAP}`, MULTIPART], PART));
        upload.write(image);
      }
      while (uploads.filter(({ statuses }) => statuses.length > 0).length < 5) {
        await Promise.race(
          uploads.filter(({ statuses }) => statuses.length === 0).map((upload) => upload.news()),
        );
      }
      for (const { received } of uploads.filter(({ statuses }) => statuses.length > 0)) {
        expect(received).toMatch(/^HTTP\/1\.1 503 /);
        expect(received).toMatch(/^retry-after: 2\r$/im);
        expect(received).toContain("urn:colophon:problem:image-could-not-be-checked-yet");
      }
      const other = await createAccount(service.baseUrl, ADMIN, { registrations: 1, lookups: 1 });
      const picture = await paintedPicture(72, 160, 120);
      expect((await new ApiClient(service.baseUrl, other.token).lookUp(picture)).status).toBe(200);
    } finally {
      clearInterval(keepUp);
      for (const upload of uploads) upload[Symbol.dispose]();
    }
  });
});

describe("tokens", () => {
  test("open nothing any more once revoked, and count every call they opened", async () => {
    const { accountId, token } = await createAccount(service.baseUrl, ADMIN, {});
    const admin = new ApiClient(service.baseUrl, ADMIN);
    const account = new ApiClient(service.baseUrl, token);
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async () => (await account.call("GET", "/account/stats")).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await account.call<{ callCount: number }>("GET", "/account/stats")).body.callCount).toBe(201);
    expect(
      (await admin.call<{ callCount: number }>("GET", `/admin/accounts/${accountId}`)).body.callCount,
    ).toBe(201);

    const tokens = `/admin/accounts/${accountId}/tokens`;
    const [listed] = (
      await admin.call<{ tokens: { tokenId: string; lastUsedAt: string | null }[] }>("GET", tokens)
    ).body.tokens;
    expect(listed?.lastUsedAt).not.toBeNull();
    const pending = Array.from({ length: 20 }, () => account.call("GET", "/account/stats"));
    expect((await admin.call("DELETE", `${tokens}/${listed?.tokenId}`)).status).toBe(204);
    expect((await account.call("GET", "/account/stats")).status).toBe(401);
    for (const { status } of await Promise.all(pending)) expect([200, 401]).toContain(status);
  });
});

/** A request as a page of the allowed origin sends it. */
function asPage(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(service.baseUrl + path, { headers: { origin: DESK, ...headers } });
}

describe("pages of an allowed origin", () => {
  test("read the account's routes, and never the operator's, however their address is spelled", async () => {
    expect((await asPage("/account/stats")).headers.get("access-control-allow-origin")).toBe(DESK);
    expect((await asPage("/nowhere")).headers.get("access-control-allow-origin")).toBe(DESK);
    for (const path of [
      "/admin/accounts",
      "/%61dmin/accounts",
      "/admin/%61ccounts?x",
      "/%61%64min/accounts/x/tokens",
    ]) {
      const answer = await asPage(path, { authorization: `Bearer ${ADMIN}` });
      expect([path, answer.headers.get("access-control-allow-origin")]).toEqual([path, null]);
      const method = "OPTIONS";
      const preflight = await fetch(service.baseUrl + path, {
        method,
        headers: { origin: DESK, "access-control-request-method": "GET" },
      });
      expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
    }
  });
});

/**
 * Routes that answer like an address that does not exist: for an unknown thing, of which `log/entries.test.ts` asks for
 * known ones, and where nobody reads without a token, of which `anonymous-callers.test.ts` asks where somebody does.
 */
function answersNothing({ path, refusals, setting }: (typeof EXTENSIONS)[number]): boolean {
  return (
    (path.includes("{") && (refusals as readonly string[]).includes("notFound")) ||
    setting === "COLOPHON_PUBLIC"
  );
}

describe("every route of the contract and beyond", () => {
  const asked = [...ROUTES, ...EXTENSIONS.filter((route) => !answersNothing(route))];

  test.each(asked.map(({ method, path, auth }) => [method, path, auth] as const))(
    "%s %s is answered by a handler",
    async (method, path, auth) => {
      const address = path.replaceAll(/\{\w+\}/g, "none");
      const answer = await fetch(service.baseUrl + address, { method });
      expect(answer.status).toBe(auth === "none" ? 200 : 401);
      const known = await fetch(service.baseUrl + address, {
        method,
        headers: { authorization: `Bearer ${auth === "admin" ? ADMIN : rich.token}` },
      });
      expect([401, 405, 500]).not.toContain(known.status);
      const body = (await known.json().catch(() => null)) as { title?: string } | null;
      expect(body?.title).not.toBe("Not found");
    },
  );
});

test("what an operator does for a reason is refused without one, and for a blank one", async () => {
  const acts = EXTENSIONS.filter(({ body }) => body?.kind === "json" && body.schema === OperationReason);
  expect(acts).toHaveLength(6);
  const operator = new ApiClient(service.baseUrl, ADMIN);
  for (const { method, path } of acts) {
    const address = path
      .replace("{originalImageHash}", "0".repeat(64))
      .replace("{accountId}", "00000000-0000-4000-8000-000000000000");
    const answer = async (reason: string): Promise<unknown> => {
      const { status, body } = await operator.call<{ title: string }>(method, address, { reason });
      return [path, status, body.title];
    };
    for (const blank of ["", " ", "\t\n\u00a0\u3000", " ".repeat(500)]) {
      expect(await answer(blank)).toEqual([path, 400, "Malformed request"]);
    }
    expect(await answer(" a reason\n")).toEqual([path, 404, expect.stringContaining("not found")]);
  }
});
