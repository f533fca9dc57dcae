import { type LookupVerdict, Refusal } from "@colophon/contract";
import type { PixelBuffer } from "../../custody/pixel-buffer.ts";
import type { Checked, MatchedOriginal } from "../../engine/port.ts";
import type { Read } from "../../store/database.ts";
import { isAnonymous } from "../../store/accounts/anonymous.ts";
import { type Account, type AccountSlots, assertFree } from "../../store/accounts/grants.ts";
import { lookupCharge } from "../../store/custody/charges.ts";
import { ownRegistrations } from "../../store/originals/registrations.ts";
import {
  callEngine,
  erasePixels,
  NOTHING_SPENT,
  receivedPixels,
  uncheckedRefusal,
  unspent,
} from "../engine-call.ts";
import type { Services } from "../services.ts";

const ONE_LOOK_UP = { registrations: 0, lookups: 1 } as const;

type Needs = Pick<Services, "intents" | "engine" | "anonymousTurns">;

/** Refuses a look-up that no image could be, before the image is read. @throws Refusal quotaExceeded */
export function assertCanLookUp(account: Account, slots: AccountSlots): void {
  if (!isAnonymous(account.accountId)) assertFree(account, slots, ONE_LOOK_UP);
}

/** What a look-up answers, from what the engine found. Nothing is charged when it throws. */
export type Answering<Answer> = (read: Read, accountId: string, checked: Checked) => Promise<Answer>;

/**
 * Looks one image up: reserves a look-up, asks the engine, erases the pixels, and charges for the answer; without a
 * token in its turn, and for nothing.
 * @throws Refusal quotaExceeded, imageCouldNotBeChecked, imageCouldNotBeCheckedYet, serviceUnavailable
 */
export async function lookUpImage<Answer extends object>(
  needs: Needs,
  accountId: string,
  image: PixelBuffer,
  answering: Answering<Answer>,
): Promise<Answer> {
  const answer = await needs.anonymousTurns.lookUp(accountId, () =>
    answerQuery(needs, accountId, image, answering),
  );
  if (answer instanceof Refusal) throw answer;
  return answer;
}

async function answerQuery<Answer extends object>(
  needs: Needs,
  accountId: string,
  image: PixelBuffer,
  answering: Answering<Answer>,
): Promise<Answer | Refusal> {
  const { intents } = needs;
  const isFree = isAnonymous(accountId);
  const price = isFree ? NOTHING_SPENT : ONE_LOOK_UP;
  const pixels = receivedPixels("queryImage", image);
  const intent = await intents.take(accountId, price, pixels);
  return callEngine(intents, image, intent, async () => {
    const checked = await needs.engine.lookUp(image, accountId);
    if (checked.outcome !== "checked") {
      await intents.close(intent, unspent(image, intent));
      return uncheckedRefusal(checked);
    }
    const settlement = {
      spent: price,
      usage: isFree ? [] : [lookupCharge(accountId, image.imageHash, bestMatch(checked))],
      custody: erasePixels(image, intent),
    };
    return intents.answer(intent, settlement, (read) => answering(read, accountId, checked));
  });
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
