import * as slots from "../../registry/slots/change-slot.ts";
import { commitSlot } from "../../registry/slots/commit-slot.ts";
import { reportEntries, reportMissing, reportProgress, reportSlot } from "../../registry/slots/read-slot.ts";
import type { Services } from "../../registry/services.ts";
import { uploadImages } from "../../registry/slots/upload/upload-image.ts";
import type { SlotRef } from "../../store/slots/slots.ts";
import { created, NO_CONTENT, ok, uploaded } from "../answers/answer.ts";
import { type AccountCall, type AccountHandlers, param } from "../call.ts";
import { declaredHashes } from "../body/declared-hashes.ts";
import { readManifests } from "../body/read-manifests.ts";
import { readUpload } from "../body/read-upload.ts";

const RULES = { manifests: true, maxImages: Number.POSITIVE_INFINITY } as const;

/** Every route under `/slots`. @param baseUrl where callers reach the service, known once it listens */
export function slotRoutes(needs: Services, baseUrl: () => string): AccountHandlers<"Registration slots"> {
  const { config, database } = needs;
  return {
    openSlot: async ({ account }) => {
      const slot = await slots.openSlot(needs, { accountId: account.accountId, kind: "registration" });
      const body = { slotId: slot.slotId, expiresAt: slot.expiresAt.toISOString() };
      return created(body, `${baseUrl()}/slots/${slot.slotId}`);
    },
    getSlot: async (call) => ok(await reportSlot(database, slotOf(call))),
    abandonSlot: async (call) => {
      await slots.abandonSlot(needs, slotOf(call));
      return NO_CONTENT;
    },
    uploadToSlot: async (call) => {
      needs.engine.assertConfigured();
      const parts = readUpload(call.body, config, RULES);
      const outcomes = await uploadImages(needs, slotOf(call), parts);
      return uploaded(outcomes, call.body.isWithin(config.maxRequestBytes));
    },
    missingFromSlot: async (call) => {
      const hashes = await declaredHashes(call.body, config);
      return ok({ missing: await reportMissing(needs, slotOf(call), hashes) });
    },
    getSlotManifest: async (call) => ok(await reportEntries(database, slotOf(call))),
    replaceEntryManifests: async (call) => {
      const imageHash = param(call, "imageHash");
      await slots.assertHeldEntry(needs, slotOf(call), imageHash);
      const manifests = await readManifests(call.body, config);
      return ok(await slots.replaceEntryManifests(needs, slotOf(call), imageHash, manifests));
    },
    removeEntry: async (call) => {
      await slots.removeEntry(needs, slotOf(call), param(call, "imageHash"));
      return NO_CONTENT;
    },
    commitSlot: async (call) => {
      needs.engine.assertConfigured();
      return ok(await commitSlot(needs, slotOf(call)));
    },
    getSlotProgress: async (call) => ok(await reportProgress(database, slotOf(call))),
  };
}

function slotOf(call: AccountCall): SlotRef {
  return { accountId: call.account.accountId, kind: "registration", slotId: param(call, "slotId") };
}
