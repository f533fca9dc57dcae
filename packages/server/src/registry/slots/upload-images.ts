import { ERRATA_REASONS } from "@colophon/contract";
import type { StoredManifest } from "@colophon/formats";
import type { PixelBuffer } from "../../custody/pixel-buffer.ts";
import type { Checked, Declined, NotYet } from "../../engine/port.ts";
import type { Write } from "../../store/database.ts";
import { type PixelCustody, pixelEvent } from "../../store/custody/intents.ts";
import { appendCustody } from "../../store/custody/ledgers.ts";
import { ownRegistrations } from "../../store/originals/originals.ts";
import {
  countAllEntries,
  type Entry,
  extractionColumns,
  insertEntry,
  replaceManifests,
} from "../../store/slots/slot-entries.ts";
import { askPatiently } from "../ask-patiently.ts";
import { erasePixels } from "../engine-call.ts";
import { type Hindrance, hindranceOf } from "../pre-check.ts";
import type { Services } from "../services.ts";
import { isSettled, type SlotUpload, type UploadedPart } from "./slot-upload.ts";

type Needs = Pick<Services, "config" | "engine" | "disk">;

/** An image of a registration upload with its manifests. */
export interface UploadedImage extends UploadedPart {
  readonly contentType: string | null;
  readonly image: PixelBuffer;
  readonly manifests: readonly StoredManifest[];
}

/**
 * Works one image of an upload to a registration slot: an image the slot knows takes the new manifests, or stays
 * refused; a new one is checked once against every live original, then held or remembered. The pixels are erased
 * before this returns.
 */
export async function uploadImage(needs: Needs, upload: SlotUpload, part: UploadedImage): Promise<void> {
  try {
    needs.disk.assertRoomToStore();
    if (!(await admit(needs, upload, part))) return;
    const checked = await askPatiently(() =>
      needs.engine.check(part.image, "registration", upload.ref.accountId),
    );
    await settle(needs, upload, part, checked);
  } catch (error) {
    upload.rejectFor(part, error);
  } finally {
    upload.erase(part.image);
  }
}

/** Takes the units and the pixels of an image the engine has to see; false when its outcome needs no engine. */
function admit(needs: Needs, upload: SlotUpload, part: UploadedImage): Promise<boolean> {
  return upload.amend(async (write, _account, amend) => {
    const { imageHash, byteLength } = part.image;
    await upload.openSlot(write);
    const known = await upload.find(write, imageHash);
    if (known && isSettled(known)) {
      await meetAgain(upload, write, part, known);
      return false;
    }
    if (await isErrataFull(needs, upload, write)) {
      upload.reject(part, "errataFull");
      return false;
    }
    const { slotId, accountId } = upload.ref;
    const pixels: PixelCustody = { subject: "registrationImage", imageHash, byteLength, slotId };
    const { registrations, lookups } = upload.intent.units;
    await amend({ units: { registrations: registrations + 1, lookups: lookups + 1 }, pixels });
    await appendCustody(write, [pixelEvent(accountId, pixels, "received", null)]);
    return true;
  });
}

/** An image the slot has already: a held one takes the new manifests, any other stays what it is. */
async function meetAgain(upload: SlotUpload, write: Write, part: UploadedImage, known: Entry): Promise<void> {
  const { imageHash, byteLength } = part.image;
  if (known.state === "held" && known.uploadId !== null) {
    await replaceManifests(write, known.entryId, part.manifests);
  } else if (known.state === "held") {
    const columns = { imageHash, byteLength, contentType: part.contentType };
    upload.replaces(await insertEntry(write, { ...upload.mark, ...columns, state: "held" }, part.manifests));
  }
  upload.brought(part, imageHash);
}

async function isErrataFull({ config }: Needs, upload: SlotUpload, write: Write): Promise<boolean> {
  return (await countAllEntries(write, upload.ref.slotId, "errata")) >= config.maxErrataPerSlot;
}

/** Writes what the engine said of an image, and gives back the units that it did not need. */
function settle(
  needs: Needs,
  upload: SlotUpload,
  part: UploadedImage,
  checked: Checked | Declined | NotYet,
): Promise<void> {
  const erased = erasePixels(part.image, upload.intent);
  const { registrations, lookups } = upload.intent.units;
  return upload.amend(async (write, _account, amend) => {
    await appendCustody(write, erased);
    if (checked.outcome !== "checked") {
      await amend({ units: { registrations: registrations - 1, lookups: lookups - 1 }, pixels: null });
      upload.reject(part, checked.outcome === "declined" ? "notChecked" : "notCheckedYet");
      return;
    }
    const hindrance = hindranceOf(checked.matches, needs.config.preCheckCover);
    if (hindrance !== null && (await isErrataFull(needs, upload, write))) {
      await amend({ units: { registrations: registrations - 1, lookups: lookups - 1 }, pixels: null });
      upload.reject(part, "errataFull");
    } else if (hindrance !== null) {
      await amend({ units: { registrations: registrations - 1, lookups }, pixels: null });
      await remember(upload, write, part, hindrance);
    } else {
      await amend({ units: { registrations, lookups: lookups - 1 }, pixels: null });
      await hold(upload, write, part, checked);
    }
  });
}

async function remember(
  upload: SlotUpload,
  write: Write,
  part: UploadedImage,
  { ground, originals }: Hindrance,
): Promise<void> {
  const { imageHash, byteLength } = part.image;
  const [registrationId] = await ownRegistrations(write, upload.ref.accountId, originals);
  await insertEntry(write, {
    ...upload.mark,
    imageHash,
    byteLength,
    contentType: part.contentType,
    state: "errata",
    reason: ERRATA_REASONS[ground],
    registrationId: registrationId ?? null,
  });
  upload.charge(imageHash, originals[0].originalImageHash);
  upload.brought(part, imageHash);
}

async function hold(
  upload: SlotUpload,
  write: Write,
  part: UploadedImage,
  { extraction }: Checked,
): Promise<void> {
  if (!extraction) throw new Error("The engine found nothing against an image and extracted nothing.");
  const { imageHash, byteLength } = part.image;
  await insertEntry(
    write,
    {
      ...upload.mark,
      imageHash,
      byteLength,
      contentType: part.contentType,
      state: "held",
      ...extractionColumns(extraction),
    },
    part.manifests,
  );
  await appendCustody(write, [
    {
      accountId: upload.ref.accountId,
      kind: "derived",
      subject: "packet",
      imageHash,
      slotId: upload.ref.slotId,
      byteLength: extraction.packet.length,
    },
  ]);
  upload.brought(part, imageHash);
}
