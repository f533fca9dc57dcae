import * as slots from "../../registry/slots/change-slot.ts";
import { commitLookupSlot } from "../../registry/lookups/commit-lookup-slot.ts";
import {
  reportEntries,
  reportMissing,
  reportProgress,
  reportResults,
} from "../../registry/slots/read-slot.ts";
import type { Services } from "../../registry/services.ts";
import { uploadQueries } from "../../registry/lookups/upload-query.ts";
import type { SlotRef } from "../../store/slots/slots.ts";
import { created, NO_CONTENT, ok, uploaded } from "../answers/answer.ts";
import { type AccountCall, type AccountHandlers, param } from "../call.ts";
import { declaredHashes } from "../body/declared-hashes.ts";
import { readUpload } from "../body/read-upload.ts";
import { assertNoQueryString } from "../query-parameters.ts";

/** Every route under `/lookup/slots`. @param baseUrl where callers reach the service, known once it listens */
export function lookupSlotRoutes(needs: Services, baseUrl: () => string): AccountHandlers<"Look-up slots"> {
  const { config, database } = needs;
  return {
    openLookupSlot: async ({ account }) => {
      const slot = await slots.openSlot(needs, { accountId: account.accountId, kind: "lookup" });
      const body = { lookupSlotId: slot.slotId, expiresAt: slot.expiresAt.toISOString() };
      return created(body, `${baseUrl()}/lookup/slots/${slot.slotId}`);
    },
    abandonLookupSlot: async (call) => {
      await slots.abandonSlot(needs, slotOf(call));
      return NO_CONTENT;
    },
    uploadQueries: async (call) => {
      needs.engine.assertConfigured();
      assertNoQueryString(call);
      const rules = { manifests: false, maxImages: config.maxQueriesPerRequest };
      const parts = readUpload(call.body, config, rules);
      const outcomes = await uploadQueries(needs, slotOf(call), parts);
      return uploaded(outcomes, call.body.isWithin(config.maxRequestBytes));
    },
    missingFromLookupSlot: async (call) => {
      const hashes = await declaredHashes(call.body, config);
      return ok({ missing: await reportMissing(needs, slotOf(call), hashes) });
    },
    getLookupSlotManifest: async (call) => ok(await reportEntries(database, slotOf(call))),
    removeQuery: async (call) => {
      await slots.removeEntry(needs, slotOf(call), param(call, "imageHash"));
      return NO_CONTENT;
    },
    commitLookupSlot: async (call) => {
      needs.engine.assertConfigured();
      return ok(await commitLookupSlot(needs, slotOf(call)));
    },
    getLookupSlotProgress: async (call) => ok(await reportProgress(database, slotOf(call))),
    getLookupSlotResults: async (call) => ok(await reportResults(database, slotOf(call))),
  };
}

function slotOf(call: AccountCall): SlotRef {
  return { accountId: call.account.accountId, kind: "lookup", slotId: param(call, "lookupSlotId") };
}
