import { randomBytes } from "node:crypto";
import type { PixelBuffer } from "../../custody/pixel-buffer.ts";
import { pixelsReceived } from "../../store/custody/events.ts";
import { appendCustody } from "../../store/custody/ledgers.ts";
import { isPassing } from "../../store/database-fault.ts";
import { insertPooledQuery } from "../../store/slots/pooled-queries.ts";
import { countAllEntries, deleteEntries, insertEntry } from "../../store/slots/slot-entries.ts";
import { deleteDueQueries } from "../query-pool/delete-due-queries.ts";
import { QUERY_KEY_SEAL } from "../query-pool/pooled-query-key.ts";
import type { Services } from "../services.ts";
import { isSettled, type SlotUpload, type UploadedPart } from "../slots/slot-upload.ts";

type Needs = Pick<Services, "config" | "database" | "keys" | "pool" | "disk">;

/** A query image of an upload. */
export interface UploadedQuery extends UploadedPart {
  readonly contentType: string | null;
  readonly image: PixelBuffer;
}

/** A file to be written for a query that has its entry. */
interface Pooling {
  readonly entryId: number;
  readonly fileName: string;
  readonly key: Buffer;
}

/**
 * Works one image of an upload to a look-up slot: reserves a look-up and pools the image on disk, unless the slot
 * has it already. The pixels in memory are erased before this returns.
 */
export async function uploadQuery(needs: Needs, upload: SlotUpload, part: UploadedQuery): Promise<void> {
  try {
    await needs.disk.withRoomFor(part.image.byteLength, () => poolQuery(needs, upload, part));
  } catch (error) {
    upload.rejectFor(part, error);
  } finally {
    upload.erase(part.image);
  }
}

async function poolQuery(needs: Needs, upload: SlotUpload, part: UploadedQuery): Promise<void> {
  const pooling = await admit(needs, upload, part);
  if (!pooling) return;
  try {
    await needs.pool.write(pooling.fileName, pooling.key, part.image);
  } catch (error) {
    // A full disk is no fault of this image: the whole upload is to be sent again.
    if (isPassing(error)) throw error;
    await takeBack(needs, upload, pooling);
    upload.reject(part, "queryNotStored");
    return;
  } finally {
    pooling.key.fill(0);
  }
  upload.brought(part, part.image.imageHash);
}

/** Notes the query and its file, with the key that opens it, before the file is there: no crash leaves a stray. */
function admit(needs: Needs, upload: SlotUpload, part: UploadedQuery): Promise<Pooling | null> {
  return upload.amend(async (write, _account, amend) => {
    const { imageHash, byteLength } = part.image;
    const { accountId, slotId } = upload.ref;
    await upload.openSlot(write);
    const known = await upload.find(write, imageHash);
    if (known && isSettled(known)) {
      upload.brought(part, imageHash);
      return null;
    }
    if ((await countAllEntries(write, slotId, null)) >= needs.config.maxQueriesPerSlot) {
      upload.reject(part, "queriesFull");
      return null;
    }
    await amend({ units: { registrations: 0, lookups: upload.intent.units.lookups + 1 } });
    const columns = { imageHash, byteLength, contentType: part.contentType };
    const entryId = await insertEntry(write, { ...upload.mark, ...columns, state: "held" });
    const fileName = needs.pool.newFileName();
    const key = randomBytes(32);
    await insertPooledQuery(write, {
      fileName,
      poolId: needs.pool.id,
      entryId,
      sealedKey: needs.keys.queries.seal(key, QUERY_KEY_SEAL),
      accountId,
      slotId,
      imageHash,
      byteLength,
    });
    const pixels = { subject: "queryImage", imageHash, byteLength, slotId } as const;
    await appendCustody(write, [pixelsReceived(accountId, pixels)]);
    return { entryId, fileName, key };
  });
}

/** Undoes the entry of an image that the disk did not take. */
async function takeBack(needs: Needs, upload: SlotUpload, { entryId }: Pooling): Promise<void> {
  await upload.amend(async (write, _account, amend) => {
    await deleteEntries(write, upload.mark, [entryId]);
    await amend({ units: { registrations: 0, lookups: upload.intent.units.lookups - 1 } });
  });
  await deleteDueQueries(needs, upload.ref.slotId);
}
