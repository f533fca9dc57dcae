import { X509Certificate } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jsonOf, linesOf } from "./support/answer.ts";
import { Caller, newAccount, operatorOf } from "./support/caller.ts";
import { type Deployment, deploymentUnderTest } from "./support/deployment.ts";
import { MALFORMED, problem, refusalIn } from "./support/problem.ts";
import { blake3Hex, freshPicture, sha256 } from "./support/pictures.ts";

const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
const HASH = expect.stringMatching(/^[0-9a-f]{64}$/);
const NO_SUCH = "00000000-0000-4000-8000-000000000000";
const ACCOUNT_NOT_FOUND = { status: 404, title: "Account not found", condition: "account-not-found" };
const TOKEN_NOT_FOUND = { status: 404, title: "Token not found", condition: "token-not-found" };
const NOTHING = { grant: 0, consumed: 0, held: 0, remaining: 0 };

interface Account {
  readonly accountId: string;
}

let deployment: Deployment;
let operator: Caller;

beforeAll(async () => {
  deployment = await deploymentUnderTest();
  operator = operatorOf(deployment);
});
afterAll(() => deployment[Symbol.asyncDispose]());

describe("accounts", () => {
  test("have defaults for all that is left out", async () => {
    const expected = {
      accountId: UUID,
      name: null,
      registrations: NOTHING,
      lookups: NOTHING,
      sequencesEnabled: false,
      maxRequestBytes: expect.any(Number),
      maxFramesPerSequence: 10_000,
      callCount: 0,
      createdAt: INSTANT,
    };
    expect(jsonOf(await operator.json("POST", "/admin/accounts", {}), 201)).toEqual(expected);
    expect(jsonOf(await operator.send("POST", "/admin/accounts"), 201)).toEqual(expected);
    expect(jsonOf(await operator.json("POST", "/admin/accounts", { name: null }), 201)).toEqual(expected);
  });

  test("are made, read, listed and changed", async () => {
    const settings = {
      name: "Press 😀",
      registrations: 3,
      lookups: 4,
      sequencesEnabled: true,
      maxRequestBytes: 5_000_000_000,
      maxFramesPerSequence: 6,
    };
    const created = jsonOf<Account>(await operator.json("POST", "/admin/accounts", settings), 201);
    const account = {
      ...settings,
      accountId: created.accountId,
      registrations: { ...NOTHING, grant: 3, remaining: 3 },
      lookups: { ...NOTHING, grant: 4, remaining: 4 },
      callCount: 0,
      createdAt: INSTANT,
    };
    expect(created).toEqual(account);
    expect(jsonOf(await operator.get(`/admin/accounts/${created.accountId}`))).toEqual(account);
    const { accounts, ...rest } = jsonOf<{ accounts: Account[] }>(await operator.get("/admin/accounts"));
    expect(rest).toEqual({});
    expect(accounts).toContainEqual(account);
    const change = { name: null, lookups: 9, sequencesEnabled: false };
    const changed = await operator.json("PATCH", `/admin/accounts/${created.accountId}`, change);
    expect(jsonOf(changed)).toEqual({
      ...account,
      ...change,
      lookups: { ...NOTHING, grant: 9, remaining: 9 },
    });
    const unchanged = await operator.json("PATCH", `/admin/accounts/${created.accountId}`, {});
    expect(unchanged.text).toBe(changed.text);
    const spelt = `/admin/accounts/${created.accountId.toUpperCase()}`;
    expect((await operator.json("PATCH", spelt, {})).text).toBe(changed.text);
    expect((await operator.get(spelt)).text).toBe(changed.text);
  });

  test.each([
    ["a list", []],
    ["a text", "text"],
    ["an unknown field", { grant: 1 }],
    ["a grant below 0", { registrations: -1 }],
    ["a grant that is no whole number", { lookups: 1.5 }],
    ["a grant that is a text", { lookups: "5" }],
    ["a grant that is null", { lookups: null }],
    ["a grant past what can be counted", { lookups: 2 ** 31 }],
    ["a flag that is a number", { sequencesEnabled: 1 }],
    ["a request cap of 0", { maxRequestBytes: 0 }],
    ["a frame count of 0", { maxFramesPerSequence: 0 }],
    ["a name that is a number", { name: 1 }],
    ["a name past 200 characters", { name: "n".repeat(201) }],
  ])("refuse %s", async (_, body) => {
    const { accountId } = await newAccount(deployment);
    expect(refusalIn(await operator.json("POST", "/admin/accounts", body))).toEqual(problem(MALFORMED));
    const path = `/admin/accounts/${accountId}`;
    expect(refusalIn(await operator.json("PATCH", path, body))).toEqual(problem(MALFORMED));
  });

  test("refuse a body past what settings can be", async () => {
    const answer = await operator.json("POST", "/admin/accounts", { name: "n".repeat(1_000_000) });
    expect(refusalIn(answer)).toEqual(
      problem({ status: 413, title: "Request too large", condition: "request-too-large" }),
    );
  });

  test.each([NO_SUCH, "nonsense", "%00"])("answer %s as unknown on every route", async (id) => {
    for (const answer of [
      await operator.get(`/admin/accounts/${id}`),
      await operator.json("PATCH", `/admin/accounts/${id}`, { lookups: 1 }),
      await operator.json("POST", `/admin/accounts/${id}/tokens`, {}),
      await operator.get(`/admin/accounts/${id}/tokens`),
      await operator.delete(`/admin/accounts/${id}/tokens/${NO_SUCH}`),
      await operator.get(`/admin/accounts/${id}/custody`),
      await operator.get(`/admin/accounts/${id}/usage`),
    ]) {
      expect(refusalIn(answer)).toEqual(problem(ACCOUNT_NOT_FOUND));
    }
  });
});

describe("tokens", () => {
  test("are shown once, listed without the secret, and revoked", async () => {
    const { accountId } = jsonOf<Account>(await operator.json("POST", "/admin/accounts", {}), 201);
    const path = `/admin/accounts/${accountId}/tokens`;
    const minted = jsonOf<{ tokenId: string; token: string }>(
      await operator.json("POST", path, { label: "desk" }),
      201,
    );
    expect(minted).toEqual({ tokenId: UUID, token: expect.stringMatching(/^clp_[A-Za-z0-9_-]{43,}$/) });
    const bare = jsonOf<{ tokenId: string; token: string }>(await operator.send("POST", path), 201);
    expect(bare.token).not.toBe(minted.token);
    const fresh = { createdAt: INSTANT, lastUsedAt: null, revokedAt: null };
    const listed = await operator.get(path);
    expect(jsonOf(listed)).toEqual({
      tokens: [
        { tokenId: minted.tokenId, label: "desk", ...fresh },
        { tokenId: bare.tokenId, label: null, ...fresh },
      ],
    });
    expect(listed.text).not.toContain(minted.token);
    await new Caller(deployment.baseUrl, minted.token).get("/account/stats");
    expect((await operator.delete(`${path}/${bare.tokenId}`)).status).toBe(204);
    expect(jsonOf(await operator.get(path))).toEqual({
      tokens: [
        { tokenId: minted.tokenId, label: "desk", ...fresh, lastUsedAt: INSTANT },
        { tokenId: bare.tokenId, label: null, ...fresh, revokedAt: INSTANT },
      ],
    });
  });

  test("refuse a body of another shape", async () => {
    const { accountId } = await newAccount(deployment);
    for (const body of [[], { label: 1 }, { name: "desk" }, { label: "l".repeat(201) }]) {
      const answer = await operator.json("POST", `/admin/accounts/${accountId}/tokens`, body);
      expect(refusalIn(answer)).toEqual(problem(MALFORMED));
    }
  });

  test("of another account, or unknown, cannot be revoked", async () => {
    const one = await newAccount(deployment);
    const two = await newAccount(deployment);
    for (const id of [two.tokenId, NO_SUCH, "nonsense"]) {
      const answer = await operator.delete(`/admin/accounts/${one.accountId}/tokens/${id}`);
      expect(refusalIn(answer)).toEqual(problem(TOKEN_NOT_FOUND));
    }
    expect((await two.caller.get("/account/stats")).status).toBe(200);
  });
});

describe("ledgers", () => {
  interface Row {
    readonly seq: number;
    readonly at: string;
    readonly kind: string;
    readonly rowHash: string;
    readonly previousRowHash: string;
  }

  test("of a new account are empty", async () => {
    const { accountId } = await newAccount(deployment);
    expect(linesOf(await operator.get(`/admin/accounts/${accountId}/custody`))).toEqual([]);
    expect(linesOf(await operator.get(`/admin/accounts/${accountId}/usage`))).toEqual([]);
  });

  test("tell what became of every image, each row chained to the one before", async () => {
    const { accountId, caller } = await newAccount(deployment);
    const picture = await freshPicture();
    const registration = jsonOf<{ id: string }>(await caller.register(picture));
    jsonOf(await caller.lookUp(picture));
    const rows = linesOf<Row>(await operator.get(`/admin/accounts/${accountId}/custody`));
    const row = {
      seq: expect.any(Number),
      at: INSTANT,
      imageHash: sha256(picture),
      sequenceId: null,
      frameId: null,
      slotId: null,
      byteLength: picture.length,
      check: null,
      rowHash: HASH,
      previousRowHash: HASH,
    };
    expect(rows).toEqual([
      { ...row, kind: "received", subject: "registrationImage" },
      { ...row, kind: "derived", subject: "packet", byteLength: expect.any(Number) },
      { ...row, kind: "deleted", subject: "registrationImage", check: "zeroed" },
      { ...row, kind: "received", subject: "queryImage" },
      { ...row, kind: "deleted", subject: "queryImage", check: "zeroed" },
    ]);
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(rows.slice(1).map(({ previousRowHash }) => previousRowHash)).toEqual(
      rows.slice(0, -1).map(({ rowHash }) => rowHash),
    );
    expect(new Set(rows.map(({ rowHash }) => rowHash)).size).toBe(5);
    const usage = linesOf<Row>(await operator.get(`/admin/accounts/${accountId}/usage`));
    const spent = {
      seq: expect.any(Number),
      at: INSTANT,
      units: 1,
      slotId: null,
      rowHash: HASH,
      previousRowHash: HASH,
    };
    expect(usage).toEqual([
      {
        ...spent,
        kind: "registration",
        imageHash: sha256(picture),
        originalImageHash: blake3Hex(picture),
        registrationId: registration.id,
      },
      {
        ...spent,
        kind: "lookup",
        imageHash: sha256(picture),
        originalImageHash: expect.anything(),
        registrationId: null,
      },
    ]);
  });

  test("balance with the account's statistics", async () => {
    const { accountId, caller } = await newAccount(deployment);
    const picture = await freshPicture();
    const { originalImageHash } = jsonOf<{ originalImageHash: string }>(await caller.register(picture));
    await caller.register(picture);
    await caller.lookUp(await freshPicture());
    await caller.lookUp(Uint8Array.from(Buffer.from("no image")));
    await caller.get(`/records/${originalImageHash}`);
    await caller.json("POST", "/records", {
      originalImageHashes: [originalImageHash, originalImageHash, "x"],
    });
    const usage = linesOf<Row & { units: number }>(await operator.get(`/admin/accounts/${accountId}/usage`));
    const sum = (kinds: readonly string[]): number =>
      usage.filter(({ kind }) => kinds.includes(kind)).reduce((total, { units }) => total + units, 0);
    expect([sum(["registration"]), sum(["preCheck", "lookup", "record"])]).toEqual([1, 5]);
    expect(jsonOf(await caller.get("/account/stats"))).toMatchObject({
      registrations: { consumed: 1 },
      lookups: { consumed: 5 },
    });
    const custody = linesOf<Row & { subject: string }>(
      await operator.get(`/admin/accounts/${accountId}/custody`),
    );
    const count = (kind: string): number =>
      custody.filter((row) => row.kind === kind && row.subject !== "packet").length;
    expect([count("received"), count("deleted")]).toEqual([4, 4]);
  });
});

describe("the trust root", () => {
  test("is the certificate that every record leads to", async () => {
    const { caller } = await newAccount(deployment);
    const { originalImageHash } = jsonOf<{ originalImageHash: string }>(
      await caller.register(await freshPicture()),
    );
    const { verification } = jsonOf<{
      verification: { certificateChain: string[]; trustContext: string };
    }>(await caller.get(`/records/${originalImageHash}`));
    const root = verification.certificateChain.at(-1) ?? "";
    const { fingerprint256 } = new X509Certificate(root);
    expect(jsonOf(await operator.get("/admin/trust-root"))).toEqual({
      trustContext: verification.trustContext,
      certificate: root,
      thumbprint: fingerprint256.replaceAll(":", "").toLowerCase(),
    });
    expect((await caller.get("/admin/trust-root")).status).toBe(401);
  });
});
