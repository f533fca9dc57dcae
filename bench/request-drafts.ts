import { type OperationId, routeOf } from "@colophon/contract";
import { chance, pick } from "./chance.ts";
import type { Random } from "../tools/pictures.ts";

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
  /** Hashes that name records. */
  readonly hashes: readonly string[];
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

/** Draws a valid request. */
export function drawDraft(random: Random, material: Material): Draft {
  const route = pick(random, DRAFTED);
  const { method, path } = routeOf(route);
  const target = path
    .replace("{originalImageHash}", pick(random, material.hashes))
    .replace("{registrationId}", "5f0c3a52-3a6e-4a51-9a57-0d1d3b0e7f11")
    .replace("{accountId}", material.administeredId)
    .replace("{tokenId}", "5f0c3a52-3a6e-4a51-9a57-0d1d3b0e7f12");
  const token = target.startsWith("/admin") ? material.adminToken : material.token;
  const headers: [string, string][] = [
    ["Host", "localhost"],
    ["Authorization", `Bearer ${token}`],
  ];
  const draft: Draft = { route, method, target, headers, body: Buffer.alloc(0) };
  if (route === "createRegistration" || route === "lookUp") {
    setParts(draft, drawParts(random, material, route === "createRegistration"));
  } else if (method === "POST" || method === "PATCH") {
    draft.headers.push(["Content-Type", "application/json"]);
    draft.body = Buffer.from(JSON.stringify(drawJson(random, material, route)));
  }
  return draft;
}

const DRAFTED: readonly OperationId[] = [
  "createRegistration",
  "createRegistration",
  "createRegistration",
  "lookUp",
  "lookUp",
  "getRecords",
  "getRecord",
  "deleteRegistration",
  "getAccountStats",
  "createAccount",
  "updateAccount",
  "mintToken",
  "revokeToken",
  "getHealth",
];

function drawJson(random: Random, material: Material, route: OperationId): object {
  if (route === "getRecords") {
    return { originalImageHashes: [pick(random, material.hashes), pick(random, material.hashes)] };
  }
  return route === "mintToken" ? { label: "hostile" } : { name: "hostile", registrations: 3, lookups: 4 };
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
