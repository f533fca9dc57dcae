import { Failure } from "../failure.ts";
import { shown } from "../shown.ts";

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

/**
 * The resolver at an address: the base of its API, which ends in its version, or else an origin that says where that is.
 * @throws Failure (usage, unreachable, refused)
 */
export async function resolverAt(text: string): Promise<Resolver> {
  const url = httpUrl(text);
  if (url === null) throw Failure.usage(`--resolver takes an http or https URL, not ${shown(text)}.`);
  if (/\/v\d+\/?$/.test(url.pathname)) return { api: url.href.replace(/\/$/, ""), token: null };
  const said = await json(new URL(DISCOVERY, url).href, { method: "GET" });
  const api = httpUrl(textIn(said, "apiEndpoint") ?? "");
  if (api === null) throw Failure.unreachable(`${url.origin} does not say where its API is.`);
  return { api: api.href.replace(/\/$/, ""), token: null };
}

/** The stores that the resolver knows of a picture, the most relevant first. @throws Failure (unreachable, refused) */
export async function findByContent(resolver: Resolver, image: Blob): Promise<readonly Candidate[]> {
  const address = `${resolver.api}/matches/byContent`;
  const headers = { "content-type": image.type, ...authorization(resolver, address) };
  const said = await json(address, { method: "POST", headers, body: image });
  const matches: unknown =
    typeof said === "object" && said !== null && "matches" in said ? said.matches : null;
  if (!Array.isArray(matches)) {
    throw Failure.unreachable(`${resolver.api} answers something else than matches.`);
  }
  return matches.flatMap((match: unknown) => {
    const manifestId = textIn(match, "manifestId");
    const endpoint = httpUrl(textIn(match, "endpoint") ?? resolver.api);
    if (manifestId === null || endpoint === null) return [];
    const below = endpoint.href.replace(/\/$/, "");
    return [{ manifestId, address: `${below}/manifests/${encodeURIComponent(manifestId)}` }];
  });
}

/** The bytes of a store. @throws Failure (unreachable, refused) */
export function fetchStore(resolver: Resolver, { address }: Candidate): Promise<Uint8Array> {
  return fetched(address, { headers: authorization(resolver, address) }, MOST_STORE);
}

function authorization({ api, token }: Resolver, address: string): Record<string, string> {
  const isOwn = new URL(address).origin === new URL(api).origin;
  return token !== null && isOwn ? { authorization: `Bearer ${token}` } : {};
}

async function json(address: string, init: RequestInit): Promise<unknown> {
  const bytes = await fetched(address, init, MOST_JSON);
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    throw Failure.unreachable(`${new URL(address).origin} answers no JSON.`);
  }
}

async function fetched(address: string, init: RequestInit, limit: number): Promise<Uint8Array> {
  const { origin } = new URL(address);
  const away = (cause: unknown): never => {
    throw Failure.unreachable(`${origin} does not answer.`, cause);
  };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const response = await fetch(address, { ...init, signal }).catch(away);
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const part of response.body ?? []) {
      length += part.length;
      if (length > limit) break;
      parts.push(part);
    }
  } catch (error) {
    away(error);
  }
  if (length > limit) throw Failure.unreachable(`${origin} answers more than ${limit} bytes.`);
  const body = Buffer.concat(parts);
  if (!response.ok) throw refusalOf(response, body, origin);
  return body;
}

function refusalOf({ status, statusText }: Response, body: Buffer, origin: string): Failure {
  let said: unknown = null;
  try {
    said = JSON.parse(body.toString("utf8"));
  } catch {
    // Then its status alone says what it is.
  }
  return Failure.refused({
    status,
    title: textIn(said, "title") ?? statusText,
    detail: textIn(said, "detail") ?? `${origin} said no more.`,
  });
}

function textIn(value: unknown, name: string): string | null {
  if (typeof value !== "object" || value === null) return null;
  const text: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
  return typeof text === "string" ? text : null;
}

function httpUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}
