import { type Refusal, refuse } from "@colophon/contract";
import type { PixelBuffer } from "../custody/pixel-buffer.ts";
import type { Declined, NotYet } from "../engine/port.ts";
import { type PixelCustody, pixelsErased } from "../store/custody/events.ts";
import { type Intent, IntentLost, type Intents, type Settlement } from "../store/custody/intents.ts";
import type { CustodyEvent } from "../store/custody/ledgers.ts";
import type { PixelSubject } from "../store/tables/custody-tables.ts";

export const NOTHING_SPENT = { registrations: 0, lookups: 0 } as const;

/** What is kept of an image in memory so that it can be erased. */
export interface Erasable {
  /** Zeroes the image; again and again the same answer. True when every byte is gone. */
  erase(): boolean;
}

/** What an image brings into custody; null when it has no byte. */
export function receivedPixels(subject: PixelSubject, image: PixelBuffer): PixelCustody | null {
  const { byteLength } = image;
  return byteLength === 0 ? null : { subject, imageHash: image.imageHash, byteLength };
}

/** Erases an image and says in the ledger's words how that went. */
export function erasePixels(image: Erasable, intent: Intent): readonly CustodyEvent[] {
  const erased = image.erase();
  if (!intent.pixels) return [];
  return [pixelsErased(intent.accountId, intent.pixels, erased)];
}

/** The settlement of a call that spent nothing. */
export function unspent(image: PixelBuffer, intent: Intent): Settlement {
  return { spent: NOTHING_SPENT, usage: [], custody: erasePixels(image, intent) };
}

/** The refusal for an image that the engine did not check. */
export function uncheckedRefusal(answer: Declined | NotYet): Refusal {
  return answer.outcome === "declined"
    ? refuse("imageCouldNotBeChecked", "declined")
    : refuse("imageCouldNotBeCheckedYet", { retryAfterSeconds: answer.retryAfterSeconds });
}

/**
 * Runs what follows a taken intent. `work` settles the intent in every outcome it returns; if it throws instead,
 * the intent is settled here as unspent, and should the database not answer, by the sweep.
 * @throws Refusal imageCouldNotBeCheckedYet when another process took this one for dead meanwhile
 */
export async function callEngine<T>(
  intents: Intents,
  image: PixelBuffer,
  intent: Intent,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof IntentLost) throw refuse("imageCouldNotBeCheckedYet", { retryAfterSeconds: 1 });
    await intents.close(intent, unspent(image, intent)).catch(() => undefined);
    throw error;
  } finally {
    intents.done(intent);
  }
}
