import { isHash } from "@colophon/formats";
import type { ByteBudget } from "../../custody/body-budget.ts";
import { type Read, reading, type Write, writing } from "../../store/database.ts";
import { isAnonymous } from "../../store/accounts/anonymous.ts";
import { lockAccount, returnUnits, takeUnits } from "../../store/accounts/grants.ts";
import { recordCharge } from "../../store/custody/charges.ts";
import { appendUsage } from "../../store/custody/ledgers.ts";
import * as store from "../../store/originals/records.ts";
import type { RecordAnswer } from "../../store/originals/records.ts";
import type { Services } from "../services.ts";

/** The answer for one hash of a list; `notAHash` for a text that is none. */
export interface AskedRecord {
  readonly originalImageHash: string;
  readonly answer: RecordAnswer | { readonly outcome: "notAHash" };
}

/** Bytes of manifests that one answer carries. */
const MANIFEST_BYTES = 67_108_864;

/**
 * Reads the records of a list of hashes, in the order asked; what they cost is charged to an account, and to nobody
 * without one.
 * @param budget where their manifests are counted
 * @throws Refusal quotaExceeded; serviceUnavailable when too many without a token wait, or there is no room for the
 * manifests
 */
export function readRecords(
  needs: Pick<Services, "database" | "anonymousTurns">,
  accountId: string,
  hashes: readonly string[],
  budget: ByteBudget,
): Promise<readonly AskedRecord[]> {
  if (!isAnonymous(accountId)) return readCharged(needs, accountId, hashes, budget);
  return needs.anonymousTurns.readRecords(() =>
    reading(needs.database, (read) => readAll(read, hashes, budget)),
  );
}

/**
 * One look-up is reserved for each hash before any is read, all or nothing; a hash is charged when its record is
 * published or was taken down, as often as it is asked. One transaction: the records are rows of the same database, so
 * no charge outlives it unsettled.
 * @throws Refusal quotaExceeded
 */
function readCharged(
  needs: Pick<Services, "database">,
  accountId: string,
  hashes: readonly string[],
  budget: ByteBudget,
): Promise<readonly AskedRecord[]> {
  return writing(needs.database, async (write) => {
    const account = await lockAccount(write, accountId);
    const taken = hashes.filter(isHash).length;
    await takeUnits(write, account, { registrations: 0, lookups: taken });
    const asked = await readAll(write, hashes, budget);
    await charge(write, accountId, asked, taken);
    return asked;
  });
}

async function readAll(
  read: Read,
  hashes: readonly string[],
  budget: ByteBudget,
): Promise<readonly AskedRecord[]> {
  const answers = await store.readRecords(read, hashes.filter(isHash), MANIFEST_BYTES, budget);
  const next = answers.values();
  return hashes.map((originalImageHash) => ({
    originalImageHash,
    answer: (isHash(originalImageHash) && next.next().value) || { outcome: "notAHash" },
  }));
}

/** Charges what was answered with a record, or the trace of one; the rest of the `taken` look-ups goes back. */
async function charge(
  write: Write,
  accountId: string,
  asked: readonly AskedRecord[],
  taken: number,
): Promise<void> {
  const charged = asked.filter(
    ({ answer }) => answer.outcome === "published" || answer.outcome === "takenDown",
  );
  await returnUnits(write, accountId, { registrations: 0, lookups: taken - charged.length });
  await appendUsage(
    write,
    charged.map(({ originalImageHash }) => recordCharge(accountId, Buffer.from(originalImageHash, "hex"))),
  );
}
