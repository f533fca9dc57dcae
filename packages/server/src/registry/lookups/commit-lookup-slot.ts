import { availableParallelism } from "node:os";
import { ENTRY_FAILURES, engineRefusalSentence, type LookupSlotResults } from "@colophon/contract";
import { PixelBuffer } from "../../custody/pixel-buffer.ts";
import type { Checked, Declined, NotYet } from "../../engine/port.ts";
import { heldHashes, writeOutcomes, writeVerdict } from "../../store/slots/commit-batches.ts";
import type { Write } from "../../store/database.ts";
import { takeReserved } from "../../store/accounts/grants.ts";
import { lookupCharge } from "../../store/custody/charges.ts";
import { appendUsage } from "../../store/custody/ledgers.ts";
import { forgetQueries, type PooledQuery, pooledQueryOf } from "../../store/slots/pooled-queries.ts";
import { changeHeld, closeSlot, type SlotRef } from "../../store/slots/slots.ts";
import { askPatiently, notYetOf } from "../ask-patiently.ts";
import { assertCovered } from "../slots/assert-covered.ts";
import { deleteDueQueries } from "../query-pool/delete-due-queries.ts";
import { bestMatch, verdictOf } from "./look-up.ts";
import { QUERY_KEY_SEAL } from "../query-pool/pooled-query-key.ts";
import { lookupResults } from "../slots/read-slot.ts";
import type { Services } from "../services.ts";

type Needs = Pick<Services, "config" | "database" | "engine" | "keys" | "claims" | "pool" | "bodies">;

/** Queries of one slot that are worked at once: enough to keep the engine's workers busy. */
const CONCURRENCY = availableParallelism() + 1;

interface Query {
  readonly entryId: number;
  readonly imageHash: Buffer;
}

/** There is no pooled image, or it is not what was uploaded. */
interface Absent {
  readonly outcome: "absent";
}

/**
 * Looks up what a slot holds: claims the slot, answers its queries one by one, each with its charge and the deletion of
 * its pixels, and closes the slot. Runs to its end whether or not anybody waits for the answer.
 * @throws Refusal slotNotFound, slotIsNoLongerOpen, quotaExceeded
 */
export function commitLookupSlot(needs: Needs, ref: SlotRef): Promise<LookupSlotResults> {
  return needs.claims.commit(
    ref,
    async (write, slot) => assertCovered(write, slot, (await heldHashes(write, slot.slotId)).length),
    async () => {
      await answerAll(needs, ref, await heldHashes(needs.database, ref.slotId));
      const results = await needs.claims.underClaim(ref, async (write) => {
        await closeSlot(write, ref.slotId, needs.config.slotIdleSeconds);
        return lookupResults(write, ref.slotId);
      });
      await deleteDueQueries(needs, ref.slotId);
      return results;
    },
  );
}

async function answerAll(needs: Needs, ref: SlotRef, queries: readonly Query[]): Promise<void> {
  const waiting = queries.values();
  const work = async (): Promise<void> => {
    for (const query of waiting) await answerOne(needs, ref, query);
  };
  // All of them end before the commit does, whichever fails: none may outlive the claim.
  const ended = await Promise.allSettled(Array.from({ length: CONCURRENCY }, work));
  const failed = ended.find((end) => end.status === "rejected");
  if (failed) throw failed.reason;
}

async function answerOne(needs: Needs, ref: SlotRef, query: Query): Promise<void> {
  const pooled = await pooledQueryOf(needs.database, query.entryId);
  const answer = await askPatiently(() => ask(needs, ref, query, pooled));
  await needs.claims.underClaim(ref, async (write) => {
    await writeAnswer(write, ref, query, answer);
    await changeHeld(write, ref.slotId, -1);
    await forgetQueries(write, [query.entryId]);
  });
  await deleteDueQueries(needs, ref.slotId);
}

/** Brings the pixels back into memory for the time of one engine call. */
async function ask(
  needs: Needs,
  ref: SlotRef,
  query: Query,
  pooled: PooledQuery | null,
): Promise<Checked | Declined | NotYet | Absent> {
  using hold = needs.bodies.open(ref.accountId);
  using image = new PixelBuffer(needs.config.maxImageBytes, hold);
  const key = keyOf(needs, pooled);
  if (!pooled || !key) return { outcome: "absent" };
  try {
    const isRead = await needs.pool.read(pooled.fileName, key, image);
    if (!isRead || !image.imageHash.equals(query.imageHash)) return { outcome: "absent" };
    return await needs.engine.lookUp(image, ref.accountId);
  } catch (error) {
    return notYetOf(error);
  } finally {
    key.fill(0);
  }
}

function keyOf({ keys, pool }: Needs, pooled: PooledQuery | null): Buffer | null {
  if (!pooled?.sealedKey || pooled.poolId !== pool.id) return null;
  return keys.queries.tryOpen(pooled.sealedKey, QUERY_KEY_SEAL);
}

async function writeAnswer(
  write: Write,
  { accountId, slotId }: SlotRef,
  { entryId, imageHash }: Query,
  answer: Checked | Declined | NotYet | Absent,
): Promise<void> {
  const outcome = { entryId, registrationId: null } as const;
  switch (answer.outcome) {
    case "absent":
      return writeOutcomes(write, [{ ...outcome, state: "failed", reason: ENTRY_FAILURES.noQueryImage }]);
    case "declined":
      return writeOutcomes(write, [{ ...outcome, state: "failed", reason: engineRefusalSentence(answer) }]);
    case "notYet":
      return writeOutcomes(write, [{ ...outcome, state: "retry", reason: ENTRY_FAILURES.notCheckedYet }]);
    case "checked": {
      await writeOutcomes(write, [{ ...outcome, state: "answered", reason: null }]);
      const verdict = await verdictOf(write, accountId, answer.matches);
      await writeVerdict(write, entryId, verdict);
      await takeReserved(write, accountId, { registrations: 0, lookups: 1 });
      return appendUsage(write, [lookupCharge(accountId, imageHash, bestMatch(answer), slotId)]);
    }
    default:
      return answer satisfies never;
  }
}
