import { randomUUID } from "node:crypto";
import { Refusal, type Registration, refuse } from "@colophon/contract";
import type { SignedRecord } from "@colophon/engine";
import type { StoredManifest } from "@colophon/formats";
import type { PixelBuffer } from "../../custody/pixel-buffer.ts";
import type { Extraction } from "../../engine/port.ts";
import { type Read, type Write, writing } from "../../store/database.ts";
import { type Account, assertFree, openSlotCount } from "../../store/accounts/grants.ts";
import type { Intent } from "../../store/custody/intents.ts";
import { insertRegistrations, ownRegistrations } from "../../store/originals/originals.ts";
import { insertRecords } from "../../store/originals/records.ts";
import { callEngine, erasePixels, receivedPixels, uncheckedRefusal, unspent } from "../engine-call.ts";
import { type Hindrance, hindranceOf } from "../pre-check.ts";
import { newRecord } from "../records/new-record.ts";
import type { Services } from "../services.ts";

type Needs = Pick<Services, "config" | "database" | "intents" | "engine" | "keys">;

/** An image with its manifests, as one registration posts them. */
export interface Submission {
  readonly image: PixelBuffer;
  readonly manifests: readonly StoredManifest[];
}

/** A registration, and the look-up of its pre-check. */
const ONE_REGISTRATION = { registrations: 1, lookups: 1 } as const;

/** Refuses what would be refused whatever the image, before it is read. @throws Refusal openSlotCapReached, quotaExceeded */
export async function assertCanRegister(
  { config, database }: Pick<Services, "config" | "database">,
  account: Account,
): Promise<void> {
  await assertSlotFree(database, account.accountId, config.maxOpenSlots);
  await assertFree(database, account, ONE_REGISTRATION);
}

/**
 * Registers one image: reserves a registration and the pre-check's look-up, asks the engine whether anybody holds
 * the image, signs its record, and publishes registration, record and index rows in one transaction.
 * @throws Refusal openSlotCapReached, quotaExceeded, imageNotRegistered, imageCouldNotBeChecked(Yet)
 */
export async function registerImage(
  needs: Needs,
  accountId: string,
  { image, manifests }: Submission,
): Promise<Registration> {
  const { intents, engine, keys } = needs;
  const pixels = receivedPixels("registrationImage", image);
  const intent = await intents.take(accountId, ONE_REGISTRATION, pixels, (write) =>
    assertSlotFree(write, accountId, needs.config.maxOpenSlots),
  );
  const answer = await callEngine(intents, image, intent, async () => {
    const checked = await engine.check(image, "registration", accountId);
    if (checked.outcome !== "checked") {
      await intents.close(intent, unspent(image, intent));
      return uncheckedRefusal(checked);
    }
    const hindrance = hindranceOf(checked.matches, needs.config.preCheckCover);
    if (hindrance !== null) {
      return writing(needs.database, (write) => refuseHindered(needs, write, image, intent, hindrance));
    }
    if (!checked.extraction)
      throw new Error("The engine found nothing against an image and extracted nothing.");
    const { extraction } = checked;
    const record = await keys.signer.signRecord({
      contentHash: extraction.originalImageHash,
      manifests,
      signedAt: new Date(),
      packetVersion: extraction.packetVersion,
    });
    return writing(needs.database, (write) =>
      publish(needs, write, { image, intent, extraction, record, manifests }),
    );
  });
  if (answer instanceof Refusal) throw answer;
  return answer;
}

async function assertSlotFree(read: Read, accountId: string, cap: number): Promise<void> {
  if ((await openSlotCount(read, accountId, "registration")) >= cap)
    throw refuse("openSlotCapReached", { cap });
}

/** Settles a pre-check that found the image registered: one look-up is spent, and the registration given back. */
async function refuseHindered(
  needs: Needs,
  write: Write,
  image: PixelBuffer,
  intent: Intent,
  { ground, originals }: Hindrance,
): Promise<Refusal> {
  await needs.intents.settle(write, intent, {
    spent: { registrations: 0, lookups: 1 },
    usage: [
      {
        accountId: intent.accountId,
        kind: "preCheck",
        units: 1,
        imageHash: image.imageHash,
        originalImageHash: originals[0].originalImageHash,
      },
    ],
    custody: erasePixels(image, intent),
  });
  const [registrationId] = await ownRegistrations(write, intent.accountId, originals);
  return refuse("imageNotRegistered", ground, registrationId === undefined ? {} : { registrationId });
}

interface Publication {
  readonly image: PixelBuffer;
  readonly intent: Intent;
  readonly extraction: Extraction;
  readonly record: SignedRecord;
  readonly manifests: readonly StoredManifest[];
}

/** Publishes the original, its record and the registration, or yields to who registered the same bytes first. */
async function publish(
  needs: Needs,
  write: Write,
  publication: Publication,
): Promise<Registration | Refusal> {
  const { image, intent, extraction, record } = publication;
  const published = await needs.engine.publish(write, intent.accountId, extraction);
  if ("originalImageHash" in published) {
    const hindrance = { ground: "alreadyRegistered", originals: [published] } as const;
    return refuseHindered(needs, write, image, intent, hindrance);
  }
  const registrationId = randomUUID();
  const { imageNo } = published;
  await insertRegistrations(write, intent.accountId, [{ registrationId, imageNo }]);
  await insertRecords(write, [newRecord(imageNo, publication)]);
  await needs.intents.settle(write, intent, {
    spent: { registrations: 1, lookups: 0 },
    usage: [
      {
        accountId: intent.accountId,
        kind: "registration",
        units: 1,
        imageHash: extraction.imageHash,
        originalImageHash: extraction.originalImageHash,
        registrationId,
      },
    ],
    custody: [
      {
        accountId: intent.accountId,
        kind: "derived",
        subject: "packet",
        imageHash: extraction.imageHash,
        byteLength: extraction.packet.length,
      },
      ...erasePixels(image, intent),
    ],
  });
  return {
    id: registrationId,
    imageHash: extraction.imageHash.toString("hex"),
    originalImageHash: extraction.originalImageHash.toString("hex"),
    engineRecord: record.engineRecord,
  };
}
