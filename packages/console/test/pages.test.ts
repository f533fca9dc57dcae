import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ServiceProcess, serviceEnvironment } from "@colophon/testing/service-process.ts";

/** Media types of the console's files, by their names' ending. */
const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".wasm": "application/wasm",
};

const BUILT = fileURLToPath(new URL("../../server/console/", import.meta.url));
const CONSOLE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

let dataDir: string;
let service: ServiceProcess;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "colophon-pages-"));
  service = await ServiceProcess.start(serviceEnvironment(dataDir, "pages-test-admin-token"));
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

function get(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(service.baseUrl + path, { redirect: "manual", ...init });
}

/** The answer as it comes, to a path as it stands: `fetch` would tidy up both. */
async function getRaw(
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: Buffer }> {
  const { hostname, port } = new URL(service.baseUrl);
  const asked = request({ hostname, port, path, headers }).end();
  const [answer]: IncomingMessage[] = await once(asked, "response");
  if (answer === undefined) throw new Error("No answer came.");
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: Buffer.concat(await answer.toArray()),
  };
}

describe("the pages", () => {
  test("is a page under a policy that admits its own files alone, and asks to be asked for again", async () => {
    const answer = await get("/console/");
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": CONSOLE_POLICY,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "no-cache",
    });
    const html = await answer.text();
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/i);
  });

  test("comes with each of its files under its type; those named by their content are kept for good", async () => {
    const assets = await readdir(join(BUILT, "assets"));
    expect(assets.length).toBeGreaterThan(1);
    for (const name of assets) {
      const answer = await get(`/console/assets/${name}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(answer.headers.get("content-type")).toBe(TYPES[extname(name)]);
    }
    expect((await get("/console/mark.svg")).headers.get("content-type")).toBe("image/svg+xml");
  });

  test("is sent compressed to a client that takes that, and as it is to one that does not", async () => {
    const plain = await getRaw("/docs/redoc.standalone.js", { "accept-encoding": "identity" });
    const gzipped = await getRaw("/docs/redoc.standalone.js", { "accept-encoding": "br, gzip" });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(gzipped.headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
    expect(gunzipSync(gzipped.body).equals(plain.body)).toBe(true);
    expect(gzipped.body.length * 2).toBeLessThan(plain.body.length);
  });

  test("answers HEAD without a body, and a reader whose copy is good with 304", async () => {
    const whole = await get("/console/");
    await whole.arrayBuffer();
    const head = await get("/console/", { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(head.headers.get("content-length")).toBe(whole.headers.get("content-length"));
    expect(await head.text()).toBe("");
    const etag = whole.headers.get("etag") ?? "";
    const again = await get("/console/", { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
    expect((await get("/console/", { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  test("sends on a visitor who leaves the last slash out", async () => {
    const answer = await get("/console");
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("console/");
  });

  test("serves nothing that is not in its build, whatever the path says", async () => {
    for (const path of [
      "/console/nothing.js",
      "/console/assets/",
      "/console/../../package.json",
      "/console/%2e%2e/package.json",
      "/console/..%2f..%2fpackage.json",
      "/console/assets/../../compose.ts",
      "/console/assets\\..\\..\\package.json",
    ]) {
      expect.soft((await getRaw(path)).status, path).toBe(404);
    }
  });

  test("refuses what is no reading, as every address does", async () => {
    const answer = await get("/console/", { method: "POST", body: "{}" });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("GET, HEAD");
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
  });
});

test("a console switched off is an address that nobody answers; the reference stays", async () => {
  const offDir = await mkdtemp(join(tmpdir(), "colophon-no-console-"));
  try {
    await using off = await ServiceProcess.start({
      ...serviceEnvironment(offDir, "pages-test-admin-token"),
      COLOPHON_CONSOLE: "off",
    });
    for (const path of ["/console", "/console/", "/console/index.html"]) {
      const answer = await fetch(off.baseUrl + path);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ title: "Not found" });
    }
    const docs = await fetch(`${off.baseUrl}/docs/`);
    expect(docs.status).toBe(200);
    await docs.body?.cancel();
  } finally {
    await rm(offDir, { recursive: true, force: true });
  }
});

test("the reference runs under a policy of its own that admits no other host and no inline script", async () => {
  const policy = (await get("/docs/")).headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
});
