import type { Route } from "../../route.ts";
import { OperationReason, OperationRow } from "../../schemas/extensions/operations.ts";
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
      "From here on the original answers equal bytes alone: no look-up and no pre-check that compares what pictures show names it. Its record stays. The reason goes to the ledger of operations.",
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
      "Streams in order, one JSON row a line, what operators did to originals of the account, each with its reason.",
    answer: {
      status: 200,
      description: "The ledger.",
      schema: OperationRow,
      mediaType: "application/x-ndjson",
    },
    refusals: ["accountNotFound"],
  },
] as const satisfies readonly Route[];
