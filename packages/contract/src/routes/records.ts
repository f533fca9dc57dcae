import type { Route } from "../route.ts";
import { PublishedRecord, RecordList, RecordsRequest } from "../schemas/records.ts";

export const RECORD_ROUTES = [
  {
    operationId: "getRecord",
    method: "GET",
    path: "/records/{originalImageHash}",
    tag: "Records",
    summary: "Read one record",
    description:
      "Gives the manifests registered with an original and what is needed to verify them. Any token reads any record. A hash without a record is answered too. Spends one look-up when the outcome is `published` or `takenDown`.",
    auth: "account",
    public: "records",
    answer: { status: 200, description: "What is published.", schema: PublishedRecord },
    refusals: [
      "invalidDeclaredHash",
      "imageCouldNotBeChecked",
      "quotaExceeded",
      "imageCouldNotBeCheckedYet",
      "engineNotConfigured",
    ],
  },
  {
    operationId: "getRecords",
    method: "POST",
    path: "/records",
    tag: "Records",
    summary: "Read a list of records",
    description:
      "Gives one record per hash, in the order asked. Reserves one look-up per well-formed hash, all or nothing, and spends those answered `published` or `takenDown`.",
    auth: "account",
    public: "records",
    body: { kind: "json", schema: RecordsRequest, required: true },
    answer: { status: 200, description: "One record per hash.", schema: RecordList },
    refusals: [
      "malformedRequest",
      "tooManyDeclaredHashes",
      "requestTooLarge",
      "quotaExceeded",
      "engineNotConfigured",
    ],
    malformed: ["notJsonObject", "noHashNamed", "hashNotAString", "unknownField"],
  },
] as const satisfies readonly Route[];
