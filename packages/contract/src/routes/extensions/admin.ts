import type { Route } from "../../route.ts";
import { CustodyRow } from "../../schemas/ledgers.ts";

const shared = { tag: "Administration", auth: "admin" } as const;

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
] as const satisfies readonly Route[];
