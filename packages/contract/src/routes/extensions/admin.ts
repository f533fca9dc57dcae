import type { Route } from "../../route.ts";
import { OperationReason, OperationRow } from "../../schemas/extensions/operations.ts";
import {
  AccountTakeDown,
  Suspension,
  Suspensions,
  TokenExpiries,
  TokenExpiryChange,
} from "../../schemas/extensions/operator.ts";
import { CustodyRow } from "../../schemas/ledgers.ts";

const shared = { tag: "Administration", auth: "admin" } as const;
const actOnOriginal = {
  ...shared,
  method: "POST",
  body: { kind: "json", schema: OperationReason, required: true },
  answer: { status: 204, description: "Done, or so already; then nothing is written." },
  refusals: ["malformedRequest", "invalidDeclaredHash", "originalNotFound", "requestTooLarge"],
  malformed: ["notJsonObject", "unknownField", "invalidField"],
} as const;

const actOnAccount = {
  ...shared,
  method: "POST",
  body: { kind: "json", schema: OperationReason, required: true },
  refusals: ["malformedRequest", "accountNotFound", "requestTooLarge"],
  malformed: ["notJsonObject", "unknownField", "invalidField"],
} as const;

export const ADMIN_EXTENSIONS = [
  {
    ...shared,
    operationId: "exportAnonymousCustody",
    method: "GET",
    path: "/admin/custody/anonymous",
    summary: "Export the custody ledger of callers without a token",
    description:
      "Streams in order, one JSON row a line, the custody of every picture that was looked up without a token.",
    answer: {
      status: 200,
      description: "The ledger.",
      schema: CustodyRow,
      mediaType: "application/x-ndjson",
    },
    refusals: [],
    setting: "COLOPHON_PUBLIC",
  },
  {
    ...actOnOriginal,
    operationId: "setOriginalAside",
    path: "/admin/originals/{originalImageHash}/set-aside",
    summary: "Set an original aside",
    description:
      "From now on, the original answers equal bytes alone: no look-up and no pre-check that compares what pictures show names it. Its record stays. The reason goes to the ledger of operations.",
  },
  {
    ...actOnOriginal,
    operationId: "reinstateOriginal",
    path: "/admin/originals/{originalImageHash}/reinstate",
    summary: "Let an original that was set aside match again",
    description: "Undoes setting it aside. The reason goes to the ledger of operations.",
  },
  {
    ...shared,
    operationId: "exportOperations",
    method: "GET",
    path: "/admin/accounts/{accountId}/operations",
    summary: "Export the ledger of operations",
    description:
      "Streams in order, one JSON row a line, what operators did to the account and its originals, each with its reason.",
    answer: {
      status: 200,
      description: "The ledger.",
      schema: OperationRow,
      mediaType: "application/x-ndjson",
    },
    refusals: ["accountNotFound"],
  },
  {
    ...actOnOriginal,
    operationId: "takeDownOriginal",
    path: "/admin/originals/{originalImageHash}/take-down",
    summary: "Take an original down",
    description:
      "Takes an original or published frame of any account down for good, as its account's own take-down does: index, packet, record and manifests go, a tombstone stays. The reason goes to the ledger of operations.",
    answer: { status: 204, description: "It is gone." },
    refusals: [...actOnOriginal.refusals, "takeDownRefused"],
  },
  {
    ...actOnAccount,
    operationId: "takeDownAccount",
    path: "/admin/accounts/{accountId}/take-down",
    summary: "Take down all that an account holds",
    description:
      "Takes the account's originals and published frames down for good, a bounded number at a time, each with its row in the ledger of operations.",
    answer: { status: 200, description: "What was taken down.", schema: AccountTakeDown },
    refusals: [...actOnAccount.refusals, "takeDownRefused"],
  },
  {
    ...shared,
    operationId: "getSuspension",
    method: "GET",
    path: "/admin/accounts/{accountId}/suspension",
    summary: "Read whether an account is suspended",
    description: "Says since when the account's tokens have opened nothing.",
    answer: { status: 200, description: "The suspension.", schema: Suspension },
    refusals: ["accountNotFound"],
  },
  {
    ...shared,
    operationId: "listSuspensions",
    method: "GET",
    path: "/admin/suspensions",
    summary: "List the accounts that are suspended",
    description: "Lists every account whose tokens open nothing at the moment, with since when.",
    answer: { status: 200, description: "The accounts.", schema: Suspensions },
    refusals: [],
  },
  {
    ...actOnAccount,
    operationId: "suspendAccount",
    path: "/admin/accounts/{accountId}/suspend",
    summary: "Suspend an account",
    description:
      "From now on, the account's tokens open nothing, in every process at once. What it registered stays published. The reason goes to the ledger of operations.",
    answer: { status: 204, description: "Done, or so already; then nothing is written." },
  },
  {
    ...actOnAccount,
    operationId: "resumeAccount",
    path: "/admin/accounts/{accountId}/resume",
    summary: "Resume a suspended account",
    description: "Its tokens open again what they opened. The reason goes to the ledger of operations.",
    answer: { status: 204, description: "Done, or so already; then nothing is written." },
  },
  {
    ...shared,
    operationId: "listTokenExpiries",
    method: "GET",
    path: "/admin/accounts/{accountId}/token-expiries",
    summary: "List when an account's tokens expire",
    description: "Lists every token with the moment at which it stops opening anything.",
    answer: { status: 200, description: "The tokens.", schema: TokenExpiries },
    refusals: ["accountNotFound"],
  },
  {
    ...shared,
    operationId: "setTokenExpiry",
    method: "PUT",
    path: "/admin/accounts/{accountId}/tokens/{tokenId}/expiry",
    summary: "Set when a token expires",
    description:
      "From that moment on, the token opens nothing. A moment in the past ends it at once; null removes the limit.",
    body: { kind: "json", schema: TokenExpiryChange, required: true },
    answer: { status: 204, description: "It is set." },
    refusals: ["malformedRequest", "accountNotFound", "tokenNotFound", "requestTooLarge"],
    malformed: ["notJsonObject", "unknownField", "invalidField"],
  },
] as const satisfies readonly Route[];
