import { ERRATA_REASONS, type UploadOutcome } from "@colophon/contract";
import { packetDerived } from "../../../store/custody/events.ts";
import { appendCustody } from "../../../store/custody/ledgers.ts";
import type { Write } from "../../../store/database.ts";
import { type Extraction, extractionColumns } from "../../../store/originals/extraction.ts";
import { ownRegistrations } from "../../../store/originals/registrations.ts";
import { replaceManifests } from "../../../store/slots/entry-manifests.ts";
import { countAllEntries, type Entry, insertEntry } from "../../../store/slots/slot-entries.ts";
import type { SlotRef } from "../../../store/slots/slots.ts";
import { storedLength } from "../../../store/stored-manifests.ts";
import { askPatiently } from "../../ask-patiently.ts";
import { receivedPixels } from "../../engine-call.ts";
import { type Hindrance, hindranceNow, type PreCheck, preCheckOf } from "../../pre-check.ts";
import type { Services } from "../../services.ts";
import { isSettled, SlotUpload, type UploadNeeds } from "./slot-upload.ts";
import { brought, rejected, type Standing } from "./standing.ts";
import { type UploadedImage, type UploadedParts, uploadToSlot } from "./upload-to-slot.ts";

type Needs = UploadNeeds & Pick<Services, "engine">;

/** Why an image is not held, by what its pre-check came to; a hindrance is one too many to be remembered. */
const WHY_NOT = { declined: "notChecked", notYet: "notCheckedYet", hindered: "errataFull" } as const;

/** Uploads images to a registration slot. @throws Refusal slotNotFound, slotIsNoLongerOpen, and as `uploadToSlot` */
export async function uploadImages(
  needs: Needs,
  ref: SlotRef,
  parts: UploadedParts,
): Promise<readonly UploadOutcome[]> {
  const upload = await SlotUpload.begin(needs, ref);
  return uploadToSlot(upload, parts, (part) => workImage(needs, upload, part));
}

/**
 * An image the slot knows takes the new manifests, or stays refused; a new one is checked once against every live
 * original, then held or remembered.
 */
async function workImage(needs: Needs, upload: SlotUpload, part: UploadedImage): Promise<Standing> {
  needs.disk.assertRoomToStore();
  await upload.bring(storedLength(part.manifests));
  const known = await admit(needs, upload, part);
  if (known) return known;
  const answer = await askPatiently(() => needs.engine.preCheck(part.image, upload.ref.accountId));
  return settle(needs, upload, part, preCheckOf(answer, needs.config.preCheckCover));
}

/**
 * Takes the units and the pixels of an image the engine has to see; null then, or what becomes of it without the
 * engine.
 */
function admit(needs: Needs, upload: SlotUpload, part: UploadedImage): Promise<Standing | null> {
  return upload.running.change(async (write, change) => {
    await upload.assertOpen(write);
    const known = await upload.find(write, part.image.imageHash);
    if (known && isSettled(known)) return meetAgain(upload, write, part, known);
    if (await isErrataFull(needs, upload, write)) return rejected("errataFull");
    const received = receivedPixels("registrationImage", part.image);
    const { registrations, lookups } = upload.running.intent.units;
    await change({
      units: { registrations: registrations + 1, lookups: lookups + 1 },
      pixels: received && { ...received, slotId: upload.ref.slotId },
    });
    return null;
  });
}

/** An image the slot has already: a held one takes the new manifests, any other stays what it is. */
async function meetAgain(
  upload: SlotUpload,
  write: Write,
  part: UploadedImage,
  known: Entry,
): Promise<Standing> {
  const again = brought(part.image.imageHash);
  if (known.state !== "held") return again;
  if (known.uploadId === null) {
    const entry = { ...entryOf(upload, part), state: "held" } as const;
    return { ...again, replacement: await insertEntry(write, entry, part.manifests) };
  }
  await replaceManifests(write, known.entryId, part.manifests);
  return again;
}

async function isErrataFull({ config }: Needs, upload: SlotUpload, write: Write): Promise<boolean> {
  return (await countAllEntries(write, upload.ref.slotId, "errata")) >= config.maxErrataPerSlot;
}

/** Writes what the engine said of an image, and gives back the units that it did not need. */
function settle(needs: Needs, upload: SlotUpload, part: UploadedImage, checked: PreCheck): Promise<Standing> {
  const erased = upload.running.erase();
  const { registrations, lookups } = upload.running.intent.units;
  return upload.running.change(async (write, change) => {
    await appendCustody(write, erased);
    if (checked.outcome === "clear") {
      await change({ units: { registrations, lookups: lookups - 1 }, pixels: null });
      return hold(upload, write, part, checked.extraction);
    }
    if (checked.outcome === "hindered" && !(await isErrataFull(needs, upload, write))) {
      await change({ units: { registrations: registrations - 1, lookups }, pixels: null });
      return remember(upload, write, part, await hindranceNow(write, part.image.imageHash, checked));
    }
    await change({ units: { registrations: registrations - 1, lookups: lookups - 1 }, pixels: null });
    return rejected(WHY_NOT[checked.outcome]);
  });
}

/** Notes an image that does not register, with its reason. */
async function remember(
  upload: SlotUpload,
  write: Write,
  part: UploadedImage,
  { ground, originals }: Hindrance,
): Promise<Standing> {
  const [registrationId = null] = await ownRegistrations(write, upload.ref.accountId, originals);
  const reason = ERRATA_REASONS[ground];
  await insertEntry(write, { ...entryOf(upload, part), state: "errata", reason, registrationId });
  return { ...brought(part.image.imageHash), charged: originals[0].originalImageHash };
}

/** Holds an image with what registers it at the commit. */
async function hold(
  upload: SlotUpload,
  write: Write,
  part: UploadedImage,
  extraction: Extraction,
): Promise<Standing> {
  const { accountId, slotId } = upload.ref;
  const { imageHash } = part.image;
  const entry = { ...entryOf(upload, part), ...extractionColumns(extraction), state: "held" } as const;
  await insertEntry(write, entry, part.manifests);
  const packet = { imageHash, slotId, byteLength: extraction.packet.length };
  await appendCustody(write, [packetDerived(accountId, packet)]);
  return brought(imageHash);
}

function entryOf(
  upload: SlotUpload,
  { image: { imageHash, byteLength }, contentType }: UploadedImage,
): SlotUpload["mark"] & { imageHash: Buffer; byteLength: number; contentType: string | null } {
  return { ...upload.mark, imageHash, byteLength, contentType };
}
