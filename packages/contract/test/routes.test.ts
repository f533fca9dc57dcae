import { expect, test } from "vitest";
import {
  EXTENSIONS,
  REFUSAL_CODES,
  REFUSALS,
  ROUTES,
  type RefusalCode,
  type Route,
  routeOf,
} from "../src/index.ts";

/** The contract's routes and the titles each may answer with, authentication and unexpected errors apart. */
const CONTRACT = `
GET /health: Malformed request
GET /openapi/v1.json: Malformed request
POST /registrations: Malformed request, Invalid manifest, Image not registered, Open-slot cap reached, Request too large, Manifest too large, Image too large, Unsupported image content type, Image could not be checked, Quota exceeded, Image could not be checked yet, Engine not configured
DELETE /registrations/{registrationId}: Registration not found, Take-down refused, Engine not configured
POST /slots: Open-slot cap reached
GET /slots/{slotId}: Slot not found
DELETE /slots/{slotId}: Slot not found, Slot is no longer open
POST /slots/{slotId}/uploads: Malformed request, Slot not found, Slot is no longer open, Request too large, Quota exceeded, Engine not configured
POST /slots/{slotId}/uploads/missing: Malformed request, Too many declared hashes, Invalid declared hash, Slot not found, Slot is no longer open, Request too large
GET /slots/{slotId}/manifest: Slot not found
PUT /slots/{slotId}/entries/{imageHash}/manifests: Malformed request, Invalid manifest, Slot not found, Entry not found, Slot is no longer open, Manifest too large, Request too large
DELETE /slots/{slotId}/entries/{imageHash}: Slot not found, Entry not found, Slot is no longer open
POST /slots/{slotId}/commit: Slot not found, Slot is no longer open, Quota exceeded, Engine not configured
GET /slots/{slotId}/progress: Slot not found
POST /lookup: Malformed request, Request too large, Image too large, Unsupported image content type, Image could not be checked, Quota exceeded, Image could not be checked yet, Engine not configured
POST /lookup/slots: Open-slot cap reached
DELETE /lookup/slots/{lookupSlotId}: Slot not found, Slot is no longer open
POST /lookup/slots/{lookupSlotId}/queries: Malformed request, Slot not found, Slot is no longer open, Request too large, Quota exceeded, Engine not configured
POST /lookup/slots/{lookupSlotId}/queries/missing: Malformed request, Too many declared hashes, Invalid declared hash, Slot not found, Slot is no longer open, Request too large
GET /lookup/slots/{lookupSlotId}/manifest: Slot not found
DELETE /lookup/slots/{lookupSlotId}/entries/{imageHash}: Slot not found, Entry not found, Slot is no longer open
POST /lookup/slots/{lookupSlotId}/commit: Slot not found, Slot is no longer open, Quota exceeded, Engine not configured
GET /lookup/slots/{lookupSlotId}/progress: Slot not found
GET /lookup/slots/{lookupSlotId}/results: Slot not found
GET /records/{originalImageHash}: Invalid declared hash, Image could not be checked, Quota exceeded, Image could not be checked yet, Engine not configured
POST /records: Malformed request, Too many declared hashes, Request too large, Quota exceeded, Engine not configured
GET /account/stats:
POST /sequences: Malformed request, Invalid manifest, Sequences not enabled, Open-sequence cap reached, Manifest too large, Request too large
POST /sequences/{sequenceId}/frames: Malformed request, Frame refused, Sequences not enabled, Sequence ticket refused, Sequence not found, Sequence does not accept this command, Frame conflict, Request too large, Image could not be checked, Sequence admission failed, Engine not configured
DELETE /sequences/{sequenceId}/frames/{frameId}: Frame is not a BODY frame, Sequences not enabled, Sequence ticket refused, Sequence not found, Frame not found, Sequence does not accept this command
POST /sequences/{sequenceId}/commit: Sequences not enabled, Sequence ticket refused, Sequence not found, Sequence does not accept this command, Sequence not committable, Sequence commit failed, Engine not configured
GET /sequences/{sequenceId}/gaps: Sequences not enabled, Sequence ticket refused, Sequence not found
GET /sequences/{sequenceId}/progress: Sequences not enabled, Sequence ticket refused, Sequence not found
GET /sequences/{sequenceId}/results: Sequences not enabled, Sequence ticket refused, Sequence not found, Sequence does not accept this command
PUT /sequences/{sequenceId}/expected-size: Malformed request, Sequences not enabled, Sequence ticket refused, Sequence not found, Sequence does not accept this command, Request too large
DELETE /sequences/{sequenceId}: Sequences not enabled, Sequence ticket refused, Sequence not found, Sequence does not accept this command
POST /admin/accounts: Malformed request, Request too large
GET /admin/accounts:
GET /admin/accounts/{accountId}: Account not found
PATCH /admin/accounts/{accountId}: Malformed request, Account not found, Request too large
POST /admin/accounts/{accountId}/tokens: Malformed request, Account not found, Request too large
GET /admin/accounts/{accountId}/tokens: Account not found
DELETE /admin/accounts/{accountId}/tokens/{tokenId}: Account not found, Token not found
GET /admin/accounts/{accountId}/custody: Account not found
GET /admin/accounts/{accountId}/usage: Account not found
GET /admin/trust-root:
`;

/** Likewise for the routes beyond the contract. */
const BEYOND = `
GET /ready: Malformed request
GET /openapi/extensions.json: Malformed request
POST /inspect: Malformed request, Request too large, Image too large, Unsupported image content type, Image could not be checked, Quota exceeded, Image could not be checked yet, Engine not configured, Too many requests
GET /library/registrations: Malformed request, Invalid declared hash
GET /library/registrations/{registrationId}: Registration not found
GET /library/slots:
GET /library/lookup-slots:
GET /library/sequences:
GET /log/checkpoint: Not found, Service unavailable
GET /log/vkey: Not found, Service unavailable
GET /log/tile/{logLevel}/{logTile}: Not found, Service unavailable
GET /log/timestamps/{logTimestamp}: Not found, Service unavailable
GET /log/proofs/{originalImageHash}: Invalid declared hash, Proof not found, Proof not ready, Too many requests
GET /.well-known/c2pa-soft-binding-resolution: Malformed request
GET /c2pa/v1/openapi.json: Malformed request
POST /c2pa/v1/matches/byContent: Malformed request, Request too large, Image too large, Unsupported image content type, Image could not be checked, Quota exceeded, Image could not be checked yet, Engine not configured, Too many requests
GET /c2pa/v1/matches/byBinding: Malformed request, URI too long, Too many requests
POST /c2pa/v1/matches/byBinding: Malformed request, Request too large, Too many requests
GET /c2pa/v1/manifests/{manifestId}: Malformed request, Manifest not found, Too many requests
GET /c2pa/v1/records/{originalImageHash}/manifests/{manifestId}: Malformed request, Invalid declared hash, Manifest not found, Too many requests
GET /c2pa/v1/manifests/{manifestId}/receipts: Malformed request, Manifest not found, Proof not found, Proof not ready, Too many requests
GET /c2pa/v1/records/{originalImageHash}/manifests/{manifestId}/receipts: Malformed request, Invalid declared hash, Manifest not found, Proof not found, Proof not ready, Too many requests
GET /c2pa/v1/services/supportedAlgorithms: Malformed request
GET /c2pa/v1/services/capabilities: Malformed request
GET /c2pa/v1/services/status: Malformed request
GET /admin/custody/anonymous:
POST /admin/originals/{originalImageHash}/set-aside: Malformed request, Invalid declared hash, Original not found, Request too large
POST /admin/originals/{originalImageHash}/reinstate: Malformed request, Invalid declared hash, Original not found, Request too large
GET /admin/accounts/{accountId}/operations: Account not found
POST /admin/originals/{originalImageHash}/take-down: Malformed request, Invalid declared hash, Original not found, Take-down refused, Request too large
POST /admin/accounts/{accountId}/take-down: Malformed request, Account not found, Take-down refused, Request too large
GET /admin/accounts/{accountId}/suspension: Account not found
GET /admin/suspensions:
POST /admin/accounts/{accountId}/suspend: Malformed request, Account not found, Request too large
POST /admin/accounts/{accountId}/resume: Malformed request, Account not found, Request too large
GET /admin/accounts/{accountId}/token-expiries: Account not found
PUT /admin/accounts/{accountId}/tokens/{tokenId}/expiry: Malformed request, Account not found, Token not found, Request too large
`;

const EVERY_ROUTE = [...ROUTES, ...EXTENSIONS];

const titles = (codes: readonly RefusalCode[]): string[] =>
  codes.map((code) => REFUSALS[code].title).toSorted();

test.each([
  { name: "the contract", table: CONTRACT, routes: ROUTES },
  { name: "its extensions", table: BEYOND, routes: EXTENSIONS },
])("the routes of $name are these, each with these refusals", ({ table, routes }) => {
  const expected = table
    .trim()
    .split("\n")
    .map((line) => {
      const [, route = "", list = ""] = /^(\S+ \S+?):\s?(.*)$/.exec(line) ?? [];
      return [route, list.split(", ").filter(Boolean).toSorted()];
    });
  const actual = routes.map(({ method, path, refusals }) => [`${method} ${path}`, titles(refusals)]);
  expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(expected));
  expect(actual.length).toBe(expected.length);
});

test("every refusal belongs to a route, to the authentication or to the address", () => {
  const used = new Set<RefusalCode>(EVERY_ROUTE.flatMap(({ refusals }) => refusals));
  const general = [
    "unauthorized",
    "notFound",
    "methodNotAllowed",
    "unexpectedError",
    "serviceUnavailable",
  ] as const;
  for (const code of general) used.add(code);
  expect([...used].toSorted()).toEqual(REFUSAL_CODES.toSorted());
});

test("of the extensions, those that may answer without a token say that an address may ask too often", () => {
  for (const { public: opened, refusals } of EXTENSIONS.map((route): Route => route)) {
    expect(refusals.includes("tooManyRequests")).toBe(opened !== undefined);
  }
});

test("every cause of a malformed request belongs to a route that may answer it", () => {
  const used = new Set(EVERY_ROUTE.flatMap(({ malformed }) => malformed ?? []));
  expect([...used].toSorted()).toEqual(Object.keys(REFUSALS.malformedRequest.details).toSorted());
  for (const { refusals, malformed } of EVERY_ROUTE) {
    expect(malformed !== undefined).toBe(refusals.includes("malformedRequest"));
  }
});

test("only the health and the document take no token, and the tickets are below /sequences/", () => {
  expect(ROUTES.filter(({ auth }) => auth === "none").map(({ path }) => path)).toEqual([
    "/health",
    "/openapi/v1.json",
  ]);
  for (const { path, auth, ticket } of ROUTES) {
    expect(auth === "admin").toBe(path.startsWith("/admin/"));
    expect(ticket === true).toBe(path.startsWith("/sequences/"));
  }
});

test("names are unique and find their route", () => {
  for (const route of EVERY_ROUTE) expect(routeOf(route.operationId)).toBe(route);
});
