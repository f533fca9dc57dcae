import { Type } from "typebox";
import type { QueryParameter, Route } from "../../route.ts";
import {
  C2paAlgorithms,
  C2paBinding,
  C2paCapabilities,
  C2paDiscovery,
  C2paMatches,
  C2paReceipt,
  C2paStatus,
} from "../../schemas/extensions/c2pa.ts";
import { OpenApiDocument } from "../../schemas/service.ts";
import { LOOKUP_ROUTES } from "../lookup.ts";

const [{ body: lookupBody, refusals: lookupRefusals }] = LOOKUP_ROUTES;

const shared = { tag: "C2PA", setting: "COLOPHON_C2PA" } as const satisfies Partial<Route>;

/** What says something about the service itself: no token, nothing refused, any origin. */
const open = {
  ...shared,
  method: "GET",
  auth: "none",
  refusals: ["malformedRequest"],
  malformed: ["unreadableRequest"],
} as const satisfies Partial<Route>;

/** Queries by value: open with the look-ups, bounded with the reads of records. */
const byValue = {
  ...shared,
  auth: "account",
  public: "lookups",
  publicBound: "records",
} as const satisfies Partial<Route>;

const MAX_RESULTS: QueryParameter = {
  name: "maxResults",
  description: "At most so many matches.",
  schema: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
  example: 10,
};

function ignored(name: string): QueryParameter {
  return {
    name,
    description: "Accepted without effect: every image is looked up in the one way of this service.",
    schema: Type.String(),
    example: "com.example.watermark.1",
  };
}

const STORE = Type.String({
  description: "A C2PA manifest store as it was registered.",
  examples: ["bytes"],
});
const manifestAnswer = {
  status: 200,
  description: "The manifest store.",
  schema: STORE,
  mediaType: "application/c2pa",
} as const satisfies Route["answer"];
const receiptAnswer = {
  status: 200,
  description: "The receipt.",
  schema: C2paReceipt,
} as const satisfies Route["answer"];
const RETURN_ACTIVE: QueryParameter = {
  name: "returnActiveManifest",
  description: "Accepted without effect: the whole store is answered.",
  schema: Type.Boolean({ default: false }),
  example: false,
};

/** C2PA Soft Binding Resolution API, 2.4. */
export const C2PA_EXTENSIONS = [
  {
    ...open,
    operationId: "discoverC2pa",
    path: "/.well-known/c2pa-soft-binding-resolution",
    summary: "Read where the API is",
    description: "For clients that know the origin alone. Takes no token.",
    answer: { status: 200, description: "Where the API is.", schema: C2paDiscovery, anyOrigin: true },
  },
  {
    ...open,
    operationId: "getC2paOpenApi",
    path: "/c2pa/v1/openapi.json",
    summary: "The document of these routes",
    description: "The routes of the soft binding resolution API alone. Takes no token.",
    answer: { status: 200, description: "The OpenAPI document.", schema: OpenApiDocument, anyOrigin: true },
  },
  {
    ...shared,
    operationId: "findC2paByContent",
    method: "POST",
    path: "/c2pa/v1/matches/byContent",
    summary: "Find the manifest stores of an image",
    description:
      "The look-up of `POST /lookup`, with its price: of each matched original, in the order of the verdict, the C2PA manifest stores registered with it. Originals without one give nothing.",
    auth: "account",
    public: "lookups",
    query: [ignored("alg"), MAX_RESULTS, ignored("hintAlg"), ignored("hintValue")],
    body: { ...lookupBody, bare: true },
    answer: { status: 200, description: "What was found.", schema: C2paMatches },
    refusals: [...lookupRefusals, "tooManyRequests"],
    malformed: ["unknownParameter", "badMaxResults", "malformedMultipart", "unexpectedPart", "notOneImage"],
  },
  {
    ...byValue,
    operationId: "findC2paByBinding",
    method: "GET",
    path: "/c2pa/v1/matches/byBinding",
    summary: "Find the manifest stores that state a soft binding",
    description:
      "Stores whose active manifest states exactly this value of this algorithm; for the deployment's own fingerprint, those registered with the original of that hash. Nothing is charged.",
    query: [
      {
        name: "alg",
        description: "The algorithm's name.",
        required: true,
        schema: Type.String(),
        example: "com.example.watermark.1",
      },
      {
        name: "value",
        description: "The value in base64, at most 2,048 characters.",
        required: true,
        schema: Type.String(),
        example: "c29tZXRoaW5n",
      },
      MAX_RESULTS,
    ],
    answer: { status: 200, description: "What was found.", schema: C2paMatches },
    refusals: ["malformedRequest", "uriTooLong", "tooManyRequests"],
    malformed: ["unknownParameter", "badMaxResults", "badBinding"],
  },
  {
    ...byValue,
    operationId: "findC2paByLongBinding",
    method: "POST",
    path: "/c2pa/v1/matches/byBinding",
    summary: "Find the manifest stores that state a long soft binding",
    description: "The same query with its value in the body. Nothing is charged.",
    query: [MAX_RESULTS],
    body: { kind: "json", schema: C2paBinding, required: true },
    answer: { status: 200, description: "What was found.", schema: C2paMatches },
    refusals: ["malformedRequest", "requestTooLarge", "tooManyRequests"],
    malformed: ["unknownParameter", "badMaxResults", "badBinding", "notJsonObject"],
  },
  {
    ...byValue,
    operationId: "getC2paManifest",
    method: "GET",
    path: "/c2pa/v1/manifests/{manifestId}",
    summary: "Fetch a manifest store",
    description:
      "The store whose active manifest has this label, byte for byte as registered; of several records the earliest live one's. Gone at once after a take-down. Nothing is charged.",
    query: [RETURN_ACTIVE],
    answer: manifestAnswer,
    refusals: ["malformedRequest", "manifestNotFound", "tooManyRequests"],
    malformed: ["unknownParameter"],
  },
  {
    ...byValue,
    operationId: "getC2paManifestOfRecord",
    method: "GET",
    path: "/c2pa/v1/records/{originalImageHash}/manifests/{manifestId}",
    summary: "Fetch a manifest store of one record",
    description:
      "The store with this label that the live record under this hash carries, and no other. Nothing is charged.",
    query: [RETURN_ACTIVE],
    answer: manifestAnswer,
    refusals: ["malformedRequest", "invalidDeclaredHash", "manifestNotFound", "tooManyRequests"],
    malformed: ["unknownParameter"],
  },
  {
    ...byValue,
    operationId: "getC2paReceipt",
    method: "GET",
    path: "/c2pa/v1/manifests/{manifestId}/receipts",
    summary: "Fetch the receipt of a manifest store",
    description:
      "Shows that the store at the same address was published: a proof of the log, with what its entry is made of, to be checked without asking anybody. 404 too where no log is kept. Nothing is charged.",
    answer: receiptAnswer,
    refusals: ["malformedRequest", "manifestNotFound", "proofNotFound", "tooManyRequests", "proofNotReady"],
    malformed: ["unknownParameter"],
  },
  {
    ...byValue,
    operationId: "getC2paReceiptOfRecord",
    method: "GET",
    path: "/c2pa/v1/records/{originalImageHash}/manifests/{manifestId}/receipts",
    summary: "Fetch the receipt of a manifest store of one record",
    description:
      "The receipt of the store that the live record under this hash carries, and of no other. Nothing is charged.",
    answer: receiptAnswer,
    refusals: [
      "malformedRequest",
      "invalidDeclaredHash",
      "manifestNotFound",
      "proofNotFound",
      "tooManyRequests",
      "proofNotReady",
    ],
    malformed: ["unknownParameter"],
  },
  {
    ...open,
    operationId: "getC2paAlgorithms",
    path: "/c2pa/v1/services/supportedAlgorithms",
    summary: "Algorithms whose values may be asked for",
    description: "A value of any other algorithm is looked for as well. Takes no token.",
    answer: { status: 200, description: "The algorithms.", schema: C2paAlgorithms, anyOrigin: true },
  },
  {
    ...open,
    operationId: "getC2paCapabilities",
    path: "/c2pa/v1/services/capabilities",
    summary: "Read which parts of the API are offered",
    description: "Manifests and bindings are stored by registering, not by this API. Takes no token.",
    answer: { status: 200, description: "The capabilities.", schema: C2paCapabilities, anyOrigin: true },
  },
  {
    ...open,
    operationId: "getC2paStatus",
    path: "/c2pa/v1/services/status",
    summary: "Whether queries can be answered",
    description: "What `GET /ready` says, in the words of this API. Takes no token.",
    answer: { status: 200, description: "The state.", schema: C2paStatus, anyOrigin: true },
  },
] as const satisfies readonly Route[];
