import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const compress = promisify(gzip);

/**
 * An answer that is the same for everybody: a file of the console or of the API reference. It needs no token, and no
 * part of the contract knows it.
 */
export interface Page {
  readonly path: string;
  readonly status: 200 | 302 | 404;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The body for readers who take gzip, made for the first of them; null where that saves nothing. */
  readonly gzipped: () => Promise<Uint8Array | null>;
}

/** Methods that a page answers. */
export const PAGE_METHODS: readonly string[] = ["GET", "HEAD"];

/** Every page is what it says it is, tells nobody where its reader comes from, and keeps to its own window. */
const COMMON_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  vary: "accept-encoding",
} as const;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  ico: "image/x-icon",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  wasm: "application/wasm",
  webmanifest: "application/manifest+json",
  woff2: "font/woff2",
};

/** Whether a page may be kept: never without asking, or for good because its name changes with its content. */
type Caching = "ask" | "forever";

/** Answers with a page, or says that the reader's copy of it is still good. */
export async function sendPage(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  page: Page,
): Promise<void> {
  const takesGzip = /\bgzip\b/.test(headers["accept-encoding"]?.toString() ?? "");
  const gzipped = takesGzip ? await page.gzipped() : null;
  const body = gzipped ?? page.body;
  const unchanged = page.status === 200 && headers["if-none-match"] === page.headers["etag"];
  response.writeHead(unchanged ? 304 : page.status, {
    ...page.headers,
    ...(gzipped === null ? {} : { "content-encoding": "gzip" }),
    "content-length": body.length,
  });
  response.end(unchanged || method === "HEAD" ? undefined : body);
}

/**
 * A file as a page; its type goes by the ending of its path.
 * @param policy the Content-Security-Policy it runs under
 */
export function filePage(path: string, body: Uint8Array, policy: string, caching: Caching): Promise<Page> {
  const ending = path.slice(path.lastIndexOf(".") + 1);
  return pageOf(path, 200, body, {
    "content-type": CONTENT_TYPES[ending] ?? "application/octet-stream",
    "content-security-policy": policy,
    "cache-control": caching === "forever" ? "public, max-age=31536000, immutable" : "no-cache",
  });
}

/** A page of HTML. */
export function htmlPage(
  path: string,
  status: 200 | 404,
  html: string | Uint8Array,
  policy: string,
): Promise<Page> {
  const body = typeof html === "string" ? Buffer.from(html) : html;
  return pageOf(path, status, body, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
    "cache-control": "no-cache",
  });
}

/** Sends a reader who leaves the last slash out on. */
export function slashRedirect(path: string): Promise<Page> {
  return redirect(path, `${path.slice(path.lastIndexOf("/") + 1)}/`);
}

/** Sends a reader on. @param location relative, so that a prefix which a proxy takes off stays in place */
export function redirect(path: string, location: string): Promise<Page> {
  return pageOf(path, 302, Buffer.alloc(0), { location });
}

async function pageOf(
  path: string,
  status: Page["status"],
  body: Uint8Array,
  headers: Page["headers"],
): Promise<Page> {
  let gzipped: Promise<Uint8Array | null> | undefined;
  // Weak: it is the same for the body and its compressed form.
  const etag = `W/"${createHash("sha256").update(body).digest("base64url")}"`;
  return {
    path,
    status,
    headers: { ...COMMON_HEADERS, ...headers, etag },
    body,
    gzipped: () => (gzipped ??= smaller(body)),
  };
}

async function smaller(body: Uint8Array): Promise<Uint8Array | null> {
  const gzipped = await compress(body);
  return gzipped.length < body.length ? gzipped : null;
}
