import { randomBytes } from "node:crypto";
import type { UploadOutcome } from "@colophon/contract";
import { pixelsReceived } from "../../store/custody/events.ts";
import { appendCustody } from "../../store/custody/ledgers.ts";
import { isPassing } from "../../store/database-fault.ts";
import { insertPooledQuery } from "../../store/slots/pooled-queries.ts";
import { countAllEntries, deleteEntries, insertEntry } from "../../store/slots/slot-entries.ts";
import type { SlotRef } from "../../store/slots/slots.ts";
import { deleteDueQueries } from "../query-pool/delete-due-queries.ts";
import { QUERY_KEY_SEAL } from "../query-pool/pooled-query-key.ts";
import type { Services } from "../services.ts";
import { isSettled, SlotUpload, type UploadNeeds } from "../slots/upload/slot-upload.ts";
import { brought, rejected, type Standing } from "../slots/upload/standing.ts";
import { type UploadedImage, type UploadedParts, uploadToSlot } from "../slots/upload/upload-to-slot.ts";

type Needs = UploadNeeds & Pick<Services, "keys" | "pool">;

/** A file to be written for a query that has its entry. */
interface Pooling {
  readonly entryId: number;
  readonly fileName: string;
  readonly key: Buffer;
}

/**
 * Uploads query images to a look-up slot: each reserves a look-up and is pooled on disk, unless the slot has it
 * already.
 * @throws Refusal slotNotFound, slotIsNoLongerOpen, and as `uploadToSlot`
 */
export async function uploadQueries(
  needs: Needs,
  ref: SlotRef,
  parts: UploadedParts,
): Promise<readonly UploadOutcome[]> {
  const upload = await SlotUpload.begin(needs, ref);
  try {
    return await uploadToSlot(upload, parts, async (part) => {
      await upload.bring(part.image.byteLength);
      return needs.disk.withRoomFor(part.image.byteLength, () => poolQuery(needs, upload, part));
    });
  } finally {
    // What was pooled and not taken; the sweep deletes what cannot be deleted now.
    await deleteDueQueries(needs, ref.slotId).catch(() => undefined);
  }
}

async function poolQuery(needs: Needs, upload: SlotUpload, part: UploadedImage): Promise<Standing> {
  const { image } = part;
  const pooling = await admit(needs, upload, part);
  if ("kind" in pooling) return pooling;
  try {
    await needs.pool.write(pooling.fileName, pooling.key, image);
  } catch (error) {
    // A full disk is no fault of this image: the whole upload is to be sent again.
    if (isPassing(error)) throw error;
    await takeBack(needs, upload, pooling);
    return rejected("queryNotStored");
  } finally {
    pooling.key.fill(0);
  }
  return brought(image.imageHash);
}

/** Notes the query and its file, with the key that opens it, before the file is there: no crash leaves a stray. */
function admit(needs: Needs, upload: SlotUpload, part: UploadedImage): Promise<Pooling | Standing> {
  return upload.running.change(async (write, change) => {
    const { imageHash, byteLength } = part.image;
    const { accountId, slotId } = upload.ref;
    await upload.assertOpen(write);
    const known = await upload.find(write, imageHash);
    if (known && isSettled(known)) return brought(imageHash);
    const count = await countAllEntries(write, slotId, null);
    if (count >= needs.config.maxQueriesPerSlot) return rejected("queriesFull");
    await change({ units: { registrations: 0, lookups: upload.running.intent.units.lookups + 1 } });
    const pixels = { imageHash, byteLength };
    const entryId = await insertEntry(write, {
      ...upload.mark,
      ...pixels,
      contentType: part.contentType,
      state: "held",
    });
    const fileName = needs.pool.newFileName();
    const key = randomBytes(32);
    const sealedKey = needs.keys.queries.seal(key, QUERY_KEY_SEAL);
    const poolId = needs.pool.id;
    await insertPooledQuery(write, { fileName, poolId, entryId, sealedKey, accountId, slotId, ...pixels });
    await appendCustody(write, [pixelsReceived(accountId, { subject: "queryImage", slotId, ...pixels })]);
    return { entryId, fileName, key };
  });
}

/** Undoes the entry of an image that the disk did not take. */
async function takeBack(needs: Needs, upload: SlotUpload, { entryId }: Pooling): Promise<void> {
  await upload.running.change(async (write, change) => {
    await deleteEntries(write, upload.ref, [entryId]);
    await change({ units: { registrations: 0, lookups: upload.running.intent.units.lookups - 1 } });
  });
  await deleteDueQueries(needs, upload.ref.slotId);
}
