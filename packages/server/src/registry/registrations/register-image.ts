import { randomUUID } from "node:crypto";
import { Refusal, type Registration, refuse } from "@colophon/contract";
import type { StoredManifest } from "@colophon/formats";
import type { PixelBuffer } from "../../custody/pixel-buffer.ts";
import { type Account, type AccountSlots, assertFree, lockAccount } from "../../store/accounts/grants.ts";
import { preCheckCharge, registrationCharge } from "../../store/custody/charges.ts";
import { packetDerived } from "../../store/custody/events.ts";
import type { Intent } from "../../store/custody/intents.ts";
import { type Write, writing } from "../../store/database.ts";
import type { Extraction } from "../../store/originals/extraction.ts";
import { insertRegistrations, ownRegistrations } from "../../store/originals/registrations.ts";
import { insertRecords } from "../../store/originals/records.ts";
import { callEngine, erasePixels, receivedPixels, uncheckedRefusal, unspent } from "../engine-call.ts";
import { type Hindrance, hindranceNow, preCheckOf } from "../pre-check.ts";
import { type RecordToPublish, recordToPublish } from "../records/new-record.ts";
import { signRecord } from "../records/sign-record.ts";
import type { Services } from "../services.ts";

type Needs = Pick<Services, "config" | "database" | "intents" | "engine" | "keys">;

/** An image with its manifests, as one registration posts them. */
export interface Submission {
  readonly image: PixelBuffer;
  readonly manifests: readonly StoredManifest[];
}

/** A registration, and the look-up of its pre-check. */
const ONE_REGISTRATION = { registrations: 1, lookups: 1 } as const;

/**
 * Refuses what would be refused whatever the image, before it is read.
 * @throws Refusal openSlotCapReached, quotaExceeded
 */
export function assertCanRegister(
  { config }: Pick<Services, "config">,
  account: Account,
  slots: AccountSlots,
): void {
  assertSlotFree(slots, config.maxOpenSlots);
  assertFree(account, slots, ONE_REGISTRATION);
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
  const { config, database, intents, engine } = needs;
  const pixels = receivedPixels("registrationImage", image);
  const intent = await intents.take(accountId, ONE_REGISTRATION, pixels, async (_, slots) =>
    assertSlotFree(slots, config.maxOpenSlots),
  );
  const answer = await callEngine(intents, image, intent, async () => {
    const checked = preCheckOf(await engine.preCheck(image, accountId), config.preCheckCover);
    if (checked.outcome === "hindered") {
      return writing(database, (write) => refuseHindered(needs, write, image, intent, checked));
    }
    if (checked.outcome !== "clear") {
      await intents.close(intent, unspent(image, intent));
      return uncheckedRefusal(checked);
    }
    const { extraction } = checked;
    const signed = await signRecord(needs, extraction, manifests);
    const record = recordToPublish(signed, manifests);
    const published = await writing(database, (write) =>
      publish(needs, write, { image, intent, extraction, record }),
    );
    if (published instanceof Refusal) return published;
    return { ...published, engineRecord: signed.engineRecord };
  });
  if (answer instanceof Refusal) throw answer;
  return answer;
}

function assertSlotFree({ registrationSlots }: AccountSlots, cap: number): void {
  if (registrationSlots >= cap) throw refuse("openSlotCapReached", { cap });
}

/** Settles a pre-check that found the image registered: one look-up is spent, and the registration given back. */
async function refuseHindered(
  { intents }: Needs,
  write: Write,
  image: PixelBuffer,
  intent: Intent,
  hindrance: Hindrance,
): Promise<Refusal> {
  await lockAccount(write, intent.accountId);
  const { ground, originals } = await hindranceNow(write, image.imageHash, hindrance);
  await intents.settle(write, intent, {
    spent: { registrations: 0, lookups: 1 },
    usage: [preCheckCharge(intent.accountId, image.imageHash, originals[0].originalImageHash)],
    custody: erasePixels(image, intent),
  });
  const [registrationId] = await ownRegistrations(write, intent.accountId, originals);
  return refuse("imageNotRegistered", ground, registrationId === undefined ? {} : { registrationId });
}

interface Publication {
  readonly image: PixelBuffer;
  readonly intent: Intent;
  readonly extraction: Extraction;
  readonly record: RecordToPublish;
}

/** Publishes the original, its record and the registration, or yields to who registered the same bytes first. */
async function publish(
  needs: Needs,
  write: Write,
  publication: Publication,
): Promise<Omit<Registration, "engineRecord"> | Refusal> {
  const { image, intent, extraction, record } = publication;
  const { accountId } = intent;
  const [published] = await needs.engine.publish(write, accountId, [extraction]);
  if (!published) throw new Error("One extraction was published and none answered.");
  if (published.outcome === "alreadyRegistered") {
    const { outcome: ground, original } = published;
    return refuseHindered(needs, write, image, intent, { ground, originals: [original] });
  }
  const registrationId = randomUUID();
  const { imageNo } = published;
  const { imageHash, packet } = extraction;
  await insertRegistrations(write, accountId, [{ registrationId, imageNo }], false);
  await insertRecords(write, [{ imageNo, ...record }]);
  await needs.intents.settle(write, intent, {
    spent: { registrations: 1, lookups: 0 },
    usage: [registrationCharge(accountId, registrationId, extraction)],
    custody: [
      packetDerived(accountId, { imageHash, byteLength: packet.length }),
      ...erasePixels(image, intent),
    ],
  });
  return {
    id: registrationId,
    imageHash: imageHash.toString("hex"),
    originalImageHash: extraction.originalImageHash.toString("hex"),
  };
}
