import { atMost, fromUtf8, toBase64 } from "@colophon/formats";
import { memberIn } from "./member.ts";
import { ResolverError } from "./resolver-error.ts";

/** A C2PA soft binding resolution service. */
export interface Resolver {
  /** The base of its API, without a trailing slash. */
  readonly api: string;
  /** Shown to nobody but the API's own origin; null for none. */
  readonly token: string | null;
}

/** A manifest store that a resolver knows: its active manifest's label, and where it is fetched. */
export interface Candidate {
  readonly manifestId: string;
  readonly address: string;
}

const DISCOVERY = "/.well-known/c2pa-soft-binding-resolution";
const MOST_JSON = 1_048_576;
const MOST_STORE = 67_108_864;
const PATIENCE_MS = 60_000;
const NOT_FOUND = 404;
const NOT_READY = 503;
const MOST_WAITS = 8;
const WAIT_MS = 1000;

/**
 * The resolver at an address: the base of its API, which ends in its version, or else an origin that says where that
 * is.
 * @throws SyntaxError of what is no address; ResolverError
 */
export async function resolverAt(text: string): Promise<Resolver> {
  const url = httpUrl(text);
  if (url === null) throw new SyntaxError("not an http or https URL");
  if (/\/v\d+\/?$/.test(url.pathname)) return { api: url.href.replace(/\/$/, ""), token: null };
  const said = await json(new URL(DISCOVERY, url).href, { method: "GET" });
  const api = httpUrl(textIn(said, "apiEndpoint") ?? "");
  if (api === null) throw new ResolverError(`${url.origin} does not say where its API is.`);
  return { api: api.href.replace(/\/$/, ""), token: null };
}

/**
 * The stores that the resolver knows of a picture, the most relevant first.
 * @throws ResolverError, the signal's reason
 */
export function findByContent(
  resolver: Resolver,
  image: Blob,
  signal?: AbortSignal,
): Promise<readonly Candidate[]> {
  const headers = { "content-type": image.type };
  return matches(resolver, "matches/byContent", { method: "POST", headers, body: image, signal });
}

/** The stores that the resolver knows of the value of a soft binding. @throws ResolverError, the signal's reason */
export function findByBinding(
  resolver: Resolver,
  { alg, value }: { alg: string; value: Uint8Array },
  signal?: AbortSignal,
): Promise<readonly Candidate[]> {
  const query = new URLSearchParams({ alg, value: toBase64(value) });
  return matches(resolver, `matches/byBinding?${query}`, { method: "GET", signal });
}

/** The names of the fingerprints whose values the resolver knows. @throws ResolverError, the signal's reason */
export async function fingerprints({ api }: Resolver, signal?: AbortSignal): Promise<readonly string[]> {
  const said = await json(`${api}/services/supportedAlgorithms`, { method: "GET", signal });
  return listIn(said, "fingerprints").flatMap((one) => textIn(one, "alg") ?? []);
}

/** The bytes of a store. @throws ResolverError, the signal's reason */
export function fetchStore(
  resolver: Resolver,
  { address }: Candidate,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  return fetched(address, { headers: authorization(resolver, address), signal }, MOST_STORE);
}

/**
 * The receipt of a store, as parsed JSON; one that is not ready yet is waited for. Null where the resolver has none
 * (404).
 * @throws ResolverError, the signal's reason
 */
export async function fetchReceipt(
  resolver: Resolver,
  { address }: Candidate,
  signal?: AbortSignal,
): Promise<unknown> {
  const headers = authorization(resolver, address);
  for (let waited = 0; ; waited += 1) {
    try {
      return await json(`${address}/receipts`, { method: "GET", headers, signal });
    } catch (error) {
      const status = error instanceof ResolverError ? error.refusal?.status : undefined;
      if (status === NOT_FOUND) return null;
      if (status !== NOT_READY || waited === MOST_WAITS) throw error;
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
  }
}

/** How a request is made, with what ends it. */
interface Init extends Omit<RequestInit, "signal" | "headers"> {
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal | undefined;
}

async function matches(resolver: Resolver, below: string, init: Init): Promise<readonly Candidate[]> {
  const address = `${resolver.api}/${below}`;
  const headers = { ...init.headers, ...authorization(resolver, address) };
  const said = await json(address, { ...init, headers });
  return listIn(said, "matches").flatMap((match) => {
    const manifestId = textIn(match, "manifestId");
    const endpoint = httpUrl(textIn(match, "endpoint") ?? resolver.api);
    if (manifestId === null || endpoint === null) return [];
    const base = endpoint.href.replace(/\/$/, "");
    return [{ manifestId, address: `${base}/manifests/${encodeURIComponent(manifestId)}` }];
  });
}

function authorization({ api, token }: Resolver, address: string): Record<string, string> {
  const isOwn = new URL(address).origin === new URL(api).origin;
  return token !== null && isOwn ? { authorization: `Bearer ${token}` } : {};
}

async function json(address: string, init: Init): Promise<unknown> {
  const bytes = await fetched(address, init, MOST_JSON);
  try {
    return JSON.parse(fromUtf8(bytes));
  } catch {
    throw new ResolverError(`${new URL(address).origin} answers no JSON.`);
  }
}

async function fetched(
  address: string,
  { signal, ...init }: Init,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const { origin } = new URL(address);
  const ended = [AbortSignal.timeout(PATIENCE_MS), ...(signal === undefined ? [] : [signal])];
  try {
    const response = await fetch(address, { ...init, credentials: "omit", signal: AbortSignal.any(ended) });
    const body = await atMost(limit, response.body);
    if (body === null) throw new ResolverError(`${origin} answers more than ${limit} bytes.`);
    if (!response.ok) throw refusalOf(response, body, origin);
    return body;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ResolverError) throw error;
    throw new ResolverError(`${origin} does not answer.`, { cause: error });
  }
}

function refusalOf({ status, statusText }: Response, body: Uint8Array, origin: string): ResolverError {
  let said: unknown = null;
  try {
    said = JSON.parse(fromUtf8(body));
  } catch {
    // Then its status alone says what it is.
  }
  const title = textIn(said, "title") ?? statusText;
  const detail = textIn(said, "detail") ?? `${origin} said no more.`;
  return new ResolverError(`${status} ${title}: ${detail}`, { refusal: { status, title, detail } });
}

function textIn(value: unknown, name: string): string | null {
  const text = memberIn(value, name);
  return typeof text === "string" ? text : null;
}

/** @throws ResolverError where there is no list under that name */
function listIn(value: unknown, name: string): readonly unknown[] {
  const list = memberIn(value, name);
  if (!Array.isArray(list)) throw new ResolverError(`The resolver answers something else than ${name}.`);
  return list;
}

function httpUrl(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}
