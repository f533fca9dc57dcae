import { type NamedRoute, type OperationId, ROUTES } from "@colophon/contract";
import { chance, pick } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";

/** A request as bytes on the wire. */
export interface WireRequest {
  readonly bytes: Buffer;
  /** The route it still addresses, `null` once the request line was changed. */
  readonly route: OperationId | null;
  /** Whether it is one well-framed HTTP request; one that is not may find its connection closed without an answer. */
  readonly framed: boolean;
  /** What was done to it, for the report. */
  readonly label: string;
}

/** What valid requests are made of. */
export interface Material {
  readonly token: string;
  readonly adminToken: string;
  readonly accountId: string;
  /** The account that requests to the operator's routes name. */
  readonly administeredId: string;
  /** Encoded pictures of several formats and sizes. */
  readonly pictures: readonly { readonly type: string; readonly bytes: Buffer }[];
  /** Hashes that name records, and some that name nothing. */
  readonly hashes: readonly string[];
  /** Open slots of the account. */
  readonly slotId: string;
  readonly lookupSlotId: string;
}

/** A valid request in pieces, for a mutation to work on. */
export interface Draft {
  readonly route: OperationId;
  method: string;
  target: string;
  headers: [string, string][];
  body: Buffer;
}

/** A multipart part. */
export interface Part {
  headers: string[];
  bytes: Buffer;
}

/** Separates the parts of a valid body. */
export const BOUNDARY = "hostile-boundary-7f3a";

/** Left out: what opens or ends slots, since all requests share two of them, and long documents. */
const UNDRAWN: ReadonlySet<OperationId> = new Set<OperationId>([
  "openSlot",
  "abandonSlot",
  "commitSlot",
  "openLookupSlot",
  "abandonLookupSlot",
  "commitLookupSlot",
  "getOpenApi",
  "exportCustody",
  "exportUsage",
]);

/** Routes that read multipart bodies have the most to get wrong, and are drawn three times as often. */
const DRAWN: readonly NamedRoute[] = ROUTES.filter(({ operationId }) => !UNDRAWN.has(operationId)).flatMap(
  (route) => (route.body?.kind === "multipart" ? [route, route, route] : [route]),
);

/** Draws a valid request. */
export function drawDraft(random: Random, material: Material): Draft {
  const { operationId, method, path, auth, body } = pick(random, DRAWN);
  const target = path
    .replace("{accountId}", material.administeredId)
    .replace("{slotId}", material.slotId)
    .replace("{lookupSlotId}", material.lookupSlotId)
    .replace(/\{(imageHash|originalImageHash)\}/, pick(random, material.hashes))
    .replace("{frameId}", "1")
    .replace(/\{\w+\}/, "5f0c3a52-3a6e-4a51-9a57-0d1d3b0e7f11");
  const token = auth === "admin" ? material.adminToken : material.token;
  const headers: [string, string][] = [
    ["Host", "localhost"],
    ["Authorization", `Bearer ${token}`],
  ];
  const draft: Draft = { route: operationId, method, target, headers, body: Buffer.alloc(0) };
  if (body?.kind === "multipart") {
    setParts(
      draft,
      drawParts(
        random,
        material,
        body.parts.some(({ part }) => part === "manifest"),
      ),
    );
  } else if (body?.kind === "json") {
    draft.headers.push(["Content-Type", "application/json"]);
    draft.body = Buffer.from(JSON.stringify(drawJson(random, material, operationId)));
  }
  return draft;
}

function drawJson(random: Random, material: Material, route: OperationId): object {
  const hashes = [pick(random, material.hashes), pick(random, material.hashes)];
  const bodies: Partial<Record<OperationId, object>> = {
    getRecords: { originalImageHashes: hashes },
    missingFromSlot: { hashes },
    missingFromLookupSlot: { hashes },
    mintToken: { label: "hostile" },
    setExpectedSize: { expectedSize: 3 },
  };
  return bodies[route] ?? { name: "hostile", registrations: 3, lookups: 4 };
}

/** Draws the parts of a valid registration or look-up. */
export function drawParts(random: Random, material: Material, withManifests: boolean): Part[] {
  const { type, bytes } = pick(random, material.pictures);
  const image: Part = {
    headers: [`Content-Disposition: form-data; name="image"; filename="a.jpg"`, `Content-Type: ${type}`],
    bytes,
  };
  if (!withManifests || chance(random, 0.3)) return [image];
  const json: Part = {
    headers: [`Content-Disposition: form-data; name="manifest[credit]"`, "Content-Type: application/json"],
    bytes: Buffer.from('{"credit":"hostile","nested":{"a":[1,2,3]}}'),
  };
  return chance(random, 0.5) ? [json, image] : [json, json, image];
}

/** Gives a draft a multipart body. */
export function setParts(draft: Draft, parts: readonly Part[], boundary: string = BOUNDARY): void {
  const pieces = parts.flatMap(({ headers, bytes }) => [
    Buffer.from(`--${boundary}\r\n${headers.join("\r\n")}\r\n\r\n`),
    bytes,
    Buffer.from("\r\n"),
  ]);
  draft.headers = [
    ...draft.headers.filter(([name]) => name !== "Content-Type"),
    ["Content-Type", `multipart/form-data; boundary=${boundary}`],
  ];
  draft.body = Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

/** Puts a draft on the wire, well-framed. */
export function wire(draft: Draft, label: string, changes: Partial<WireRequest> = {}): WireRequest {
  const headers = draft.headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const framing = draft.body.length > 0 ? `Content-Length: ${draft.body.length}\r\n` : "";
  const head = Buffer.from(`${draft.method} ${draft.target} HTTP/1.1\r\n${headers}${framing}\r\n`, "latin1");
  return { bytes: Buffer.concat([head, draft.body]), route: draft.route, framed: true, label, ...changes };
}
