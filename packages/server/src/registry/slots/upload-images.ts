import { ERRATA_REASONS } from "@colophon/contract";
import type { StoredManifest } from "@colophon/formats";
import type { PixelBuffer } from "../../custody/pixel-buffer.ts";
import type { Write } from "../../store/database.ts";
import { packetDerived } from "../../store/custody/events.ts";
import { appendCustody } from "../../store/custody/ledgers.ts";
import { type Extraction, extractionColumns } from "../../store/originals/extraction.ts";
import { ownRegistrations } from "../../store/originals/originals.ts";
import {
  countAllEntries,
  type Entry,
  insertEntry,
  replaceManifests,
} from "../../store/slots/slot-entries.ts";
import { askPatiently } from "../ask-patiently.ts";
import { erasePixels } from "../engine-call.ts";
import { type Hindrance, type PreCheck, preCheckOf } from "../pre-check.ts";
import type { Services } from "../services.ts";
import { isSettled, type SlotUpload, type UploadedPart } from "./slot-upload.ts";

type Needs = Pick<Services, "config" | "engine" | "disk">;

/** Why an image is not held, by what its pre-check came to; a hindrance is one too many to be remembered. */
const WHY_NOT = { declined: "notChecked", notYet: "notCheckedYet", hindered: "errataFull" } as const;

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
    const answer = await askPatiently(() => needs.engine.preCheck(part.image, upload.ref.accountId));
    await settle(needs, upload, part, preCheckOf(answer, needs.config.preCheckCover));
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
    const { slotId } = upload.ref;
    const pixels = { subject: "registrationImage", imageHash, byteLength, slotId } as const;
    const { registrations, lookups } = upload.intent.units;
    await amend({ units: { registrations: registrations + 1, lookups: lookups + 1 }, pixels });
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
function settle(needs: Needs, upload: SlotUpload, part: UploadedImage, checked: PreCheck): Promise<void> {
  const erased = erasePixels(part.image, upload.intent);
  const { registrations, lookups } = upload.intent.units;
  return upload.amend(async (write, _account, amend) => {
    await appendCustody(write, erased);
    if (checked.outcome === "clear") {
      await amend({ units: { registrations, lookups: lookups - 1 }, pixels: null });
      await hold(upload, write, part, checked.extraction);
    } else if (checked.outcome === "hindered" && !(await isErrataFull(needs, upload, write))) {
      await amend({ units: { registrations: registrations - 1, lookups }, pixels: null });
      await remember(upload, write, part, checked);
    } else {
      await amend({ units: { registrations: registrations - 1, lookups: lookups - 1 }, pixels: null });
      upload.reject(part, WHY_NOT[checked.outcome]);
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
  extraction: Extraction,
): Promise<void> {
  const { imageHash, byteLength } = part.image;
  await insertEntry(
    write,
    {
      ...upload.mark,
      byteLength,
      contentType: part.contentType,
      state: "held",
      ...extractionColumns(extraction),
    },
    part.manifests,
  );
  const { accountId, slotId } = upload.ref;
  const packet = { imageHash, slotId, byteLength: extraction.packet.length };
  await appendCustody(write, [packetDerived(accountId, packet)]);
  upload.brought(part, imageHash);
}
