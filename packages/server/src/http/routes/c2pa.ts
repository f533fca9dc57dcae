import { C2PA_VERSION, c2paDocument, type C2paReceipt, refuse, type Unreadiness } from "@colophon/contract";
import { type SoftBinding, toBase64, toUtf8 } from "@colophon/formats";
import { RECEIPT_ALGORITHM } from "@colophon/log";
import {
  readManifest,
  readReceipt,
  storesOfBinding,
  storesOfMatches,
} from "../../registry/c2pa/resolve-bindings.ts";
import { WATERMARKS } from "../../registry/c2pa/watermarks.ts";
import { assertCanLookUp, lookUpImage } from "../../registry/lookups/look-up.ts";
import type { Services } from "../../registry/services.ts";
import { VERSION } from "../../version.ts";
import { type Answer, ok, printedOnce } from "../answers/answer.ts";
import { declaredHash } from "../body/declared-hashes.ts";
import { readBareOrOnlyImage } from "../body/read-query.ts";
import { readJson } from "../body/read-json.ts";
import { type AccountCall, type AccountHandlers, type OpenHandlers, param } from "../call.ts";
import { countOf, queryParameters } from "../query-parameters.ts";

type Needs = Pick<Services, "config" | "database" | "intents" | "engine" | "disk" | "anonymousTurns">;

/** Where the API begins below the base URL. */
const API = "/c2pa/v1";
const RESULTS = { otherwise: 10, most: 100, detail: "badMaxResults" } as const;
/** Characters of a value in an address. */
const MOST_IN_ADDRESS = 2048;
const MAX_BINDING_BODY = 65_536;
/** Seconds after which a receipt that is not ready is asked for again. */
const RETRY_SECONDS = 1;
/** At least one byte: no last group has a single character. */
const BASE64 = /^(?=[^=])(?:[\w+/-]{4})*(?:[\w+/-]{2,3})?={0,2}$/;

/**
 * What the soft binding resolution API says of itself. Nothing of it asks the database.
 * @param baseUrl where callers reach the service, known once it listens
 * @param reasons why queries cannot be answered at the moment
 */
export function openC2paRoutes(
  config: Needs["config"],
  baseUrl: () => string,
  reasons: () => readonly Unreadiness[],
): OpenHandlers<"C2PA"> {
  return {
    discoverC2pa: async () =>
      ok({
        apiEndpoint: `${baseUrl()}${API}`,
        c2paSpecificationVersion: C2PA_VERSION,
        capabilitiesEndpoint: `${baseUrl()}${API}/services/capabilities`,
        statusEndpoint: `${baseUrl()}${API}/services/status`,
      }),
    getC2paOpenApi: printedOnce(() => c2paDocument({ version: VERSION, baseUrl: baseUrl() })),
    getC2paAlgorithms: async () =>
      ok({
        watermarks: WATERMARKS.map((alg) => ({ alg })),
        fingerprints: [{ alg: fingerprintOf(config, baseUrl()) }],
      }),
    getC2paCapabilities: async () =>
      ok({ c2paSpecificationVersion: C2PA_VERSION, supportedCapabilities: ["queryByContent"] }),
    getC2paStatus: async () =>
      ok({ status: reasons().length === 0 ? "ok" : "down", timestamp: new Date().toISOString() }),
  };
}

/** The queries of the soft binding resolution API, and the manifest stores they lead to. */
export function c2paRoutes(needs: Needs, baseUrl: () => string): AccountHandlers<"C2PA"> {
  const terms = (sent: string | undefined) => ({
    endpoint: `${baseUrl()}${API}`,
    maxResults: countOf(sent, RESULTS),
  });
  const byBinding = async (
    { account }: AccountCall,
    maxResults: string | undefined,
    binding: SoftBinding,
  ): Promise<Answer> => {
    const fingerprint = fingerprintOf(needs.config, baseUrl());
    return ok(
      await storesOfBinding(needs, account.accountId, { binding, fingerprint, ...terms(maxResults) }),
    );
  };
  const manifest = async (call: AccountCall, originalImageHash: Buffer | null): Promise<Answer> => {
    queryParameters(call, ["returnActiveManifest"]);
    const label = labelOf(call);
    const body = await readManifest(needs, call.account.accountId, { label, originalImageHash });
    if (body === null) throw refuse("manifestNotFound");
    call.body.hold.take(body.length);
    return { kind: "bytes", body };
  };
  const receipt = async (call: AccountCall, record: Buffer | null): Promise<Answer> => {
    queryParameters(call, []);
    const manifestId = labelOf(call);
    const store = { label: manifestId, originalImageHash: record };
    const found = await readReceipt(needs, call.account.accountId, store);
    if (found.outcome === "unknown") throw refuse("manifestNotFound");
    if (found.outcome === "waiting") throw refuse("proofNotReady", { retryAfterSeconds: RETRY_SECONDS });
    if (found.outcome === "unlogged" || !needs.config.log) throw refuse("proofNotFound");
    const { originalImageHash, proof, preimage } = found;
    const answer: C2paReceipt = {
      "@context": { c2pa: "https://c2pa.org/ns/", receipt: "https://c2pa.org/ns/manifest-receipt#" },
      "@type": "org.c2pa.manifest-receipt",
      repository: { uri: `${baseUrl()}${API}/records/${originalImageHash}`, manifestId },
      anchor: {
        uri: `${baseUrl()}/log/proofs/${originalImageHash}`,
        proof: { alg: RECEIPT_ALGORITHM, value: toBase64(toUtf8(proof)) },
        parameters: { recordPreimage: toBase64(preimage) },
      },
    };
    return ok(answer);
  };
  return {
    findC2paByContent: async (call) => {
      needs.engine.assertConfigured();
      const { maxResults } = queryParameters(call, ["alg", "maxResults", "hintAlg", "hintValue"]);
      const matchTerms = terms(maxResults);
      needs.disk.assertRoomToLedger();
      assertCanLookUp(call.account, call.slots);
      using image = await readBareOrOnlyImage(call.body, call.request.headers["content-type"], needs.config);
      return ok(
        await lookUpImage(needs, call.account.accountId, image, (read, _, { matches }) =>
          storesOfMatches(read, matches, matchTerms),
        ),
      );
    },
    findC2paByBinding: async (call) => {
      const { alg, value, maxResults } = queryParameters(call, ["alg", "value", "maxResults"]);
      if ((value?.length ?? 0) > MOST_IN_ADDRESS) throw refuse("uriTooLong");
      return byBinding(call, maxResults, bindingOf(alg, value));
    },
    findC2paByLongBinding: async (call) => {
      const { maxResults } = queryParameters(call, ["maxResults"]);
      const { alg, value } = await readJson(call.body, MAX_BINDING_BODY);
      return byBinding(call, maxResults, bindingOf(alg, value));
    },
    getC2paManifest: (call) => manifest(call, null),
    getC2paManifestOfRecord: (call) => manifest(call, recordParam(call)),
    getC2paReceipt: (call) => receipt(call, null),
    getC2paReceiptOfRecord: (call) => receipt(call, recordParam(call)),
  };
}

/**
 * The label in an address. None holds a NUL, with which labels end in a store, and of which the database makes no text.
 */
function labelOf(call: AccountCall): string {
  const label = param(call, "manifestId");
  if (label.includes("\0")) throw refuse("manifestNotFound");
  return label;
}

function recordParam(call: AccountCall): Buffer {
  return Buffer.from(declaredHash(param(call, "originalImageHash")), "hex");
}

/** @param value base64, padded or not, URL-safe or not */
function bindingOf(alg: unknown, value: unknown): SoftBinding {
  const isBinding = typeof alg === "string" && alg !== "" && typeof value === "string" && BASE64.test(value);
  if (!isBinding) throw refuse("malformedRequest", "badBinding");
  return { alg, value: Buffer.from(value, "base64") };
}

/** The name of the service's own algorithm, whose value is the 32 bytes of an original image hash. */
function fingerprintOf({ c2paFingerprint }: Needs["config"], baseUrl: string): string {
  if (c2paFingerprint !== null) return c2paFingerprint;
  return `${new URL(baseUrl).hostname.split(".").toReversed().join(".")}.original.1`;
}
