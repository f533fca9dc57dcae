import { type LookupVerdict, Refusal } from "@colophon/contract";
import type { PixelBuffer } from "../../custody/pixel-buffer.ts";
import type { Checked, MatchedOriginal } from "../../engine/port.ts";
import { type Database, type Read, writing } from "../../store/database.ts";
import { type Account, assertFree } from "../../store/accounts/grants.ts";
import { lookupCharge } from "../../store/custody/charges.ts";
import { ownRegistrations } from "../../store/originals/originals.ts";
import { callEngine, erasePixels, receivedPixels, uncheckedRefusal, unspent } from "../engine-call.ts";
import type { Services } from "../services.ts";

const ONE_LOOK_UP = { registrations: 0, lookups: 1 } as const;

type Needs = Pick<Services, "database" | "intents" | "engine">;

/** Refuses a look-up that no image could be, before the image is read. @throws Refusal quotaExceeded */
export function assertCanLookUp({ database }: { database: Database }, account: Account): Promise<void> {
  return assertFree(database, account, ONE_LOOK_UP);
}

/** What a look-up answers, from what the engine found. Nothing is charged when it throws. */
export type Answering<Answer> = (read: Read, accountId: string, checked: Checked) => Promise<Answer>;

/**
 * Looks one image up: reserves a look-up, asks the engine, erases the pixels, and charges for the answer.
 * @throws Refusal quotaExceeded, imageCouldNotBeChecked, imageCouldNotBeCheckedYet
 */
export async function lookUpImage<Answer extends object>(
  needs: Needs,
  accountId: string,
  image: PixelBuffer,
  answering: Answering<Answer>,
): Promise<Answer> {
  const { intents } = needs;
  const pixels = receivedPixels("queryImage", image);
  const intent = await intents.take(accountId, ONE_LOOK_UP, pixels);
  const answer = await callEngine(intents, image, intent, async () => {
    const checked = await needs.engine.lookUp(image, accountId);
    if (checked.outcome !== "checked") {
      await intents.close(intent, unspent(image, intent));
      return uncheckedRefusal(checked);
    }
    return writing(needs.database, async (write) => {
      await intents.settle(write, intent, {
        spent: ONE_LOOK_UP,
        usage: [lookupCharge(accountId, image.imageHash, bestMatch(checked))],
        custody: erasePixels(image, intent),
      });
      return answering(write, accountId, checked);
    });
  });
  if (answer instanceof Refusal) throw answer;
  return answer;
}

/** The original that the ledger names for a look-up. */
export function bestMatch({ matches }: Checked): Buffer | null {
  return matches[0]?.originalImageHash ?? null;
}

/** The verdict as the account may see it: originals of anybody, registrations of its own. */
export async function verdictOf(
  read: Read,
  accountId: string,
  matches: readonly MatchedOriginal[],
): Promise<LookupVerdict> {
  const own = await ownRegistrations(read, accountId, matches);
  return {
    matched: matches.length > 0,
    matchedOriginalImageHashes: [...new Set(matches.map((match) => match.originalImageHash.toString("hex")))],
    candidates: own.map((registrationId) => ({ registrationId })),
  };
}
