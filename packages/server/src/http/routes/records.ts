import { refuse } from "@colophon/contract";
import { readRecords } from "../../registry/records/read-records.ts";
import type { Services } from "../../registry/services.ts";
import { type AccountHandlers, param } from "../call.ts";
import { declaredHash, readHashList } from "../body/declared-hashes.ts";
import { fieldsOf, type JsonObject } from "../body/read-json.ts";
import { recordJson, recordListJson } from "../../registry/records/record-json.ts";

type Needs = Pick<Services, "config" | "database" | "engine" | "disk" | "anonymousTurns">;

/** `GET /records/{originalImageHash}`, `POST /records`. */
export function recordRoutes(needs: Needs): AccountHandlers<"Records"> {
  return {
    getRecord: async (call) => {
      needs.engine.assertConfigured();
      const hash = declaredHash(param(call, "originalImageHash"));
      needs.disk.assertRoomToLedger();
      const [record] = await readRecords(needs, call.account.accountId, [hash], call.body.hold);
      if (!record) throw new Error("One hash was asked and none answered.");
      if (record.answer.outcome === "unreadable") throw refuse("imageCouldNotBeChecked", "declined");
      return { kind: "bytes", body: recordJson(record) };
    },
    getRecords: async ({ account, body }) => {
      needs.engine.assertConfigured();
      const { maxRecordHashes: cap, maxRequestBytes } = needs.config;
      const hashes = namedHashes(await readHashList(body, { cap, maxRequestBytes, optional: false }), cap);
      needs.disk.assertRoomToLedger();
      const records = await readRecords(needs, account.accountId, hashes, body.hold);
      return { kind: "bytes", body: recordListJson(records) };
    },
  };
}

function namedHashes(body: JsonObject, cap: number): readonly string[] {
  const { originalImageHashes: value } = fieldsOf(body, ["originalImageHashes"]);
  if (!Array.isArray(value) || value.length === 0) throw refuse("malformedRequest", "noHashNamed");
  if (value.length > cap) throw refuse("tooManyDeclaredHashes");
  return value.map((hash: unknown) => {
    if (typeof hash !== "string") throw refuse("malformedRequest", "hashNotAString");
    return hash;
  });
}
