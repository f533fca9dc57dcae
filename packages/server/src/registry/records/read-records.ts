import { isHash } from "@colophon/formats";
import { type Write, writing } from "../../store/database.ts";
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
 * Reads the records of a list of hashes, in the order asked. One look-up is reserved for each hash before any is
 * read, all or nothing; a hash is charged when its record is published or was taken down, as often as it is asked.
 * One transaction: the records are rows of the same database, so no charge outlives it unsettled.
 * @throws Refusal quotaExceeded
 */
export function readRecords(
  needs: Pick<Services, "database">,
  accountId: string,
  hashes: readonly string[],
): Promise<readonly AskedRecord[]> {
  return writing(needs.database, async (write) => {
    const account = await lockAccount(write, accountId);
    const sent = hashes.filter(isHash);
    await takeUnits(write, account, { registrations: 0, lookups: sent.length });
    const answers = await store.readRecords(write, [...new Set(sent)], MANIFEST_BYTES);
    const asked = hashes.map(
      (originalImageHash): AskedRecord => ({
        originalImageHash,
        answer: answers.get(originalImageHash) ?? { outcome: "notAHash" },
      }),
    );
    await charge(write, accountId, asked, sent.length);
    return asked;
  });
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
