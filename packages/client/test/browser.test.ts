import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type * as client from "@colophon/client";
import type * as formats from "@colophon/formats";
import type { Browser, Page } from "playwright-core";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "@colophon/testing/chromium.ts";
import { freshPhotos, freshScene, TestService } from "./support.ts";

/** What the page's script makes of the client, for what the tests do in the page. */
declare global {
  var sdk: typeof client & Pick<typeof formats, "verdictOf" | "verifyRecord">;
}

/** The first is large enough to be found by its crops. */
const PHOTOS = 12;

/** A site of its own, with a page, a script that bundles the client, and some pictures. */
class Site implements AsyncDisposable {
  readonly origin: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async open(): Promise<Site> {
    const files = [await freshScene(), ...(await freshPhotos(PHOTOS - 1))];
    const photos = await Promise.all(files.map((photo) => photo.bytes()));
    const script = await bundledClient();
    const server = createServer(({ url = "" }, response) => {
      const photo = photos[Number(/^\/photos\/(\d+)$/.exec(url)?.[1])];
      if (photo !== undefined) response.setHeader("content-type", "image/jpeg").end(photo);
      else if (url === "/sdk.js") response.setHeader("content-type", "text/javascript").end(script);
      else {
        response.setHeader("content-type", "text/html").end('<script type="module" src="/sdk.js"></script>');
      }
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    return new Site(server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

async function bundledClient(): Promise<string> {
  const client = fileURLToPath(new URL("../src/index.ts", import.meta.url));
  const formats = fileURLToPath(new URL("../../formats/src/index.ts", import.meta.url));
  const entry = `
    import * as client from ${JSON.stringify(client)};
    import { verdictOf, verifyRecord } from ${JSON.stringify(formats)};
    globalThis.sdk = { ...client, verdictOf, verifyRecord };
  `;
  const bundle = await rolldown({
    input: "entry",
    platform: "browser",
    logLevel: "silent",
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === "entry" ? id : null),
        load: (id) => (id === "entry" ? entry : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  return output[0].code;
}

let site: Site;
let service: TestService;
let browser: Browser;
let page: Page;
let access: { baseUrl: string; token: string };

beforeAll(async () => {
  site = await Site.open();
  service = await TestService.start({ COLOPHON_ALLOWED_ORIGINS: site.origin });
  browser = await launchChromium();
  page = await browser.newPage();
  await page.goto(site.origin);
  await page.waitForFunction(() => "sdk" in globalThis);
  access = { baseUrl: service.baseUrl, token: await service.token() };
});

afterAll(async () => {
  await browser.close();
  await service[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("the client in a browser, on a page of another origin", () => {
  it("registers a picture, finds it by a crop drawn on a canvas, and verifies its record", async () => {
    const seen = await page.evaluate(async (options) => {
      const mine = new sdk.ColophonClient(options);
      const photo = await (await fetch("/photos/0")).blob();
      const manifests = [{ kind: "credit", json: { creator: "Harbour Press" } }];
      const { originalImageHash } = await mine.register(photo, { manifests });

      const bitmap = await createImageBitmap(photo);
      const canvas = new OffscreenCanvas(bitmap.width * 0.8, bitmap.height * 0.8);
      canvas.getContext("2d")?.drawImage(bitmap, -bitmap.width * 0.1, -bitmap.height * 0.1);
      const crop = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.7 });
      const verdict = await mine.lookUp(crop);

      const record = await mine.record(originalImageHash);
      const trustRoot = record.verification?.certificateChain.at(-1) ?? "";
      const originalBytes = new Uint8Array(await photo.arrayBuffer());
      const checks = sdk.verifyRecord(record, { trustRoot, originalBytes, at: new Date() });
      return {
        found: verdict.matchedOriginalImageHashes.includes(originalImageHash),
        verdict: sdk.verdictOf(checks),
        results: [...new Set(checks.map(({ result }) => result))],
      };
    }, access);
    expect(seen).toEqual({ found: true, verdict: "verified", results: ["passed"] });
  });

  it("works through a batch that is stopped and goes on", async () => {
    const seen = await page.evaluate(
      async ({ options, count }) => {
        const mine = new sdk.ColophonClient(options);
        const files: File[] = [];
        for (let at = 1; at < count; at += 1) {
          files.push(
            new File([await (await fetch(`/photos/${at}`)).blob()], `${at}.jpg`, { type: "image/jpeg" }),
          );
        }
        const stop = new AbortController();
        let slotId: string | undefined;
        const stopped = await sdk
          .registerAll(mine, files, {
            signal: stop.signal,
            imagesPerUpload: 2,
            concurrency: 1,
            onProgress: (progress) => {
              slotId = progress.slotId ?? undefined;
              if (progress.sent >= 4) stop.abort(new Error("stopped by its reader"));
            },
          })
          .then(
            () => "finished",
            (error: Error) => error.message,
          );
        const { items } = await sdk.registerAll(mine, files, { slotId });
        return {
          stopped,
          states: items.map(({ answer }) => answer?.state),
          held: items.filter(({ sent }) => !sent).length,
        };
      },
      { options: access, count: PHOTOS },
    );
    expect(seen.stopped).toBe("stopped by its reader");
    expect(seen.states).toEqual(Array.from({ length: PHOTOS - 1 }, () => "registered"));
    expect(seen.held).toBeGreaterThanOrEqual(4);
  });

  it("reads refusals by their code, and what goes with them", async () => {
    const seen = await page.evaluate(async (options) => {
      const photo = await (await fetch("/photos/0")).blob();
      const stranger = new sdk.ColophonClient({ ...options, token: "clp_unknown" });
      const [again, unknown] = await Promise.allSettled([
        new sdk.ColophonClient(options).register(photo),
        stranger.stats(),
      ]);
      return [again, unknown].map((outcome) =>
        outcome?.status === "rejected" && outcome.reason instanceof sdk.ColophonError
          ? outcome.reason.code
          : null,
      );
    }, access);
    expect(seen).toEqual(["imageNotRegistered", "unauthorized"]);
  });
});

describe("a page of an origin that the operator did not name", () => {
  it("gets no answer to read, and no page reaches the operator's routes", async () => {
    const stranger = await browser.newPage();
    await stranger.goto(site.origin.replace("127.0.0.1", "localhost"));
    await stranger.waitForFunction(() => "sdk" in globalThis);
    const refused = await stranger.evaluate(
      (options) =>
        new sdk.ColophonClient({ ...options, maxAttempts: 1 }).stats().then(
          () => "answered",
          (error: Error) => error.name,
        ),
      access,
    );
    expect(refused).toBe("ColophonConnectionError");
    const preflight = { origin: site.origin, "access-control-request-method": "GET" };
    const admin = await fetch(`${service.baseUrl}/admin/accounts`, { method: "OPTIONS", headers: preflight });
    expect(admin.status).toBe(405);
    expect(admin.headers.get("access-control-allow-origin")).toBeNull();
  });
});
