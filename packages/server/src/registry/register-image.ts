import { randomUUID } from "node:crypto";
import { Refusal, type Registration, refuse } from "@colophon/contract";
import type { SignedRecord } from "@colophon/engine";
import type { StoredManifest } from "@colophon/formats";
import type { PixelBuffer } from "../custody/pixel-buffer.ts";
import type { Extraction, MatchedOriginal } from "../engine/port.ts";
import { type Write, writing } from "../store/database.ts";
import { openSlotCount } from "../store/grants.ts";
import type { Intent } from "../store/intents.ts";
import { insertRegistrations, ownRegistrations } from "../store/originals.ts";
import { insertRecords } from "../store/records.ts";
import { callEngine, erasePixels, uncheckedRefusal, unspent } from "./engine-call.ts";
import { newRecord } from "./new-record.ts";
import type { Services } from "./services.ts";

type Needs = Pick<Services, "config" | "database" | "intents" | "engine" | "keys">;

/** An image with its manifests, as one registration posts them. */
export interface Submission {
  readonly image: PixelBuffer;
  readonly manifests: readonly StoredManifest[];
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
  const pixels = {
    subject: "registrationImage",
    imageHash: image.imageHash,
    byteLength: image.byteLength,
  } as const;
  const intent = await intents.take(accountId, { registrations: 1, lookups: 1 }, pixels, (write) =>
    assertSlotFree(write, accountId, needs.config.maxOpenSlots),
  );
  const answer = await callEngine(intents, image, intent, async () => {
    const checked = await engine.check(image, "registration");
    if (checked.outcome !== "checked") {
      await intents.close(intent, unspent(image, intent));
      return uncheckedRefusal(checked);
    }
    if (checked.matches.length > 0) {
      return writing(needs.database, (write) => refuseMatched(needs, write, image, intent, checked.matches));
    }
    if (!checked.extraction) throw new Error("The engine found no match and extracted nothing.");
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

async function assertSlotFree(write: Write, accountId: string, cap: number): Promise<void> {
  if ((await openSlotCount(write, accountId, "registration")) >= cap)
    throw refuse("openSlotCapReached", { cap });
}

/** Settles a pre-check that matched: one look-up is spent, and the registration given back. */
async function refuseMatched(
  needs: Needs,
  write: Write,
  image: PixelBuffer,
  intent: Intent,
  matches: readonly MatchedOriginal[],
): Promise<Refusal> {
  const [best] = matches;
  await needs.intents.settle(write, intent, {
    spent: { registrations: 0, lookups: 1 },
    usage: [
      {
        account_id: intent.accountId,
        kind: "preCheck",
        units: 1,
        image_hash: image.imageHash,
        original_image_hash: best?.originalImageHash ?? null,
      },
    ],
    custody: erasePixels(image, intent),
  });
  const [registrationId] = await ownRegistrations(write, intent.accountId, matches);
  return refuse(
    "imageNotRegistered",
    best?.identical ? "alreadyRegistered" : "derivative",
    registrationId === undefined ? {} : { registrationId },
  );
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
  if ("originalImageHash" in published) return refuseMatched(needs, write, image, intent, [published]);
  const registrationId = randomUUID();
  const { imageNo } = published;
  await insertRegistrations(write, intent.accountId, [{ registrationId, imageNo }]);
  await insertRecords(write, [newRecord(imageNo, publication)]);
  await needs.intents.settle(write, intent, {
    spent: { registrations: 1, lookups: 0 },
    usage: [
      {
        account_id: intent.accountId,
        kind: "registration",
        units: 1,
        image_hash: extraction.imageHash,
        original_image_hash: extraction.originalImageHash,
        registration_id: registrationId,
      },
    ],
    custody: [
      {
        account_id: intent.accountId,
        kind: "derived",
        subject: "packet",
        image_hash: extraction.imageHash,
        byte_length: extraction.packet.length,
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
