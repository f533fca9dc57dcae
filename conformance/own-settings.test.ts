import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jsonOf } from "./support/answer.ts";
import { Caller, newAccount, operatorOf, type PostedManifest } from "./support/caller.ts";
import { type Deployment, startDeployment } from "./support/deployment.ts";
import { ENGINE_NOT_CONFIGURED, problem, refusalIn } from "./support/problem.ts";
import { freshPicture, reencoded, sha256 } from "./support/pictures.ts";

const json = (body: string): PostedManifest => ({ name: "manifest[a]", type: "application/json", body });

// What only another configuration shows; these deployments are always started here.

describe("a deployment without an engine", () => {
  let deployment: Deployment;
  let caller: Caller;

  beforeAll(async () => {
    deployment = await startDeployment({ COLOPHON_ENGINE: "none" });
    caller = (await newAccount(deployment)).caller;
  });
  afterAll(() => deployment[Symbol.asyncDispose]());

  test("refuses every route that needs one, and spends nothing", async () => {
    const picture = await freshPicture(100, 100);
    for (const answer of [
      await caller.register(picture),
      await caller.lookUp(picture),
      await caller.send("POST", "/inspect"),
      await caller.delete("/registrations/00000000-0000-4000-8000-000000000000"),
      await caller.get(`/records/${sha256(picture)}`),
      await caller.json("POST", "/records", { originalImageHashes: [sha256(picture)] }),
    ]) {
      expect(refusalIn(answer)).toEqual(problem(ENGINE_NOT_CONFIGURED));
    }
    expect(jsonOf(await caller.get("/account/stats"))).toMatchObject({
      registrations: { consumed: 0, held: 0 },
      lookups: { consumed: 0, held: 0 },
    });
  });

  test("still serves the rest", async () => {
    expect((await caller.get("/health")).status).toBe(200);
    expect((await caller.get("/openapi/v1.json")).status).toBe(200);
  });
});

describe("a deployment with caps of its own", () => {
  let deployment: Deployment;
  let caller: Caller;

  beforeAll(async () => {
    deployment = await startDeployment({
      COLOPHON_BASE_URL: "https://colophon.press.test/registry",
      COLOPHON_ACCEPTED_TYPES: "image/png",
      COLOPHON_MAX_IMAGE_BYTES: "100000",
      COLOPHON_MAX_IMAGE_PIXELS: "10000",
      COLOPHON_MAX_REQUEST_BYTES: "150000",
      COLOPHON_MAX_MANIFEST_BYTES: "100",
      COLOPHON_MAX_MANIFESTS_PER_IMAGE: "2",
      COLOPHON_MAX_RECORD_HASHES: "2",
      COLOPHON_INSPECT: "off",
      COLOPHON_C2PA: "public",
    });
    caller = (await newAccount(deployment)).caller;
  });
  afterAll(() => deployment[Symbol.asyncDispose]());

  test("states them in its refusals", async () => {
    const image = new Uint8Array(10);
    const many = await caller.register(image, [json("{}"), json("{}"), json("{}")], "image/png");
    expect(JSON.parse(many.text).detail).toBe("An image carries at most 2 manifests.");
  });

  test("holds to them", async () => {
    const titles = [
      await caller.register(new Uint8Array(10), [], "image/jpeg"),
      await caller.register(new Uint8Array(100_001), [], "image/png"),
      await caller.register(new Uint8Array(10), [json(`{"a":"${"x".repeat(100)}"}`)], "image/png"),
      await caller.register(new Uint8Array(150_001), [], "image/png"),
      await caller.register(await freshPicture(101, 101), [], "image/png"),
      await caller.json("POST", "/records", { originalImageHashes: ["a", "b", "c"] }),
      await caller.json("POST", "/records", { originalImageHashes: ["a".repeat(150_000)] }),
    ].map(({ text }) => JSON.parse(text).title);
    expect(titles).toEqual([
      "Unsupported image content type",
      "Image too large",
      "Manifest too large",
      "Request too large",
      "Image could not be checked",
      "Too many declared hashes",
      "Request too large",
    ]);
  });

  test("answers what is no hash in its place, at any length of it", async () => {
    const long = "a".repeat(10_000);
    const answer = await caller.json("POST", "/records", { originalImageHashes: ["b", long] });
    const { records } = jsonOf<{ records: object[] }>(answer);
    expect(records).toMatchObject([
      { originalImageHash: "b", outcome: "refused" },
      { originalImageHash: long, outcome: "refused" },
    ]);
  });

  test("answers an extension that it has switched off like an address that does not exist", async () => {
    const unknown = JSON.parse((await caller.send("POST", "/nowhere")).text);
    for (const method of ["POST", "GET", "OPTIONS"]) {
      const answer = await caller.send(method, "/inspect");
      const { traceId: _, ...body } = JSON.parse(answer.text);
      expect([answer.status, answer.headers.get("allow")]).toEqual([404, null]);
      expect({ ...unknown, ...body }).toEqual(unknown);
    }
    const { paths } = jsonOf<{ paths: object }>(await caller.get("/openapi/extensions.json"));
    expect(Object.keys(paths)).toContain("/inspect");
  });

  test("resolves Content Credentials without a token, and nothing else, and shows its operator whose pixels came", async () => {
    const stranger = new Caller(deployment.baseUrl, null);
    const body = await reencoded(await freshPicture(100, 100), "png");
    const headers = { "content-type": "image/png" };
    const found = await stranger.send("POST", "/c2pa/v1/matches/byContent", { body, headers });
    expect(jsonOf(found)).toEqual({ matches: [] });
    expect((await stranger.lookUp(body, "image/png")).status).toBe(401);
    expect((await stranger.get(`/records/${sha256(body)}`)).status).toBe(401);
    const ledger = await operatorOf(deployment).get("/admin/custody/anonymous");
    const rows = ledger.text.trim().split("\n");
    expect(rows.map((row) => JSON.parse(row))).toMatchObject([
      { kind: "received", subject: "queryImage", imageHash: sha256(body) },
      { kind: "deleted", subject: "queryImage", imageHash: sha256(body) },
    ]);
  });

  test("names its public address in its document", async () => {
    const { servers } = jsonOf<{ servers: { url: string }[] }>(await caller.get("/openapi/v1.json"));
    expect(servers.map(({ url }) => url)).toEqual(["https://colophon.press.test/registry"]);
  });
});
