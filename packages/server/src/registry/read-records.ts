import { isHash } from "@colophon/formats";
import { type Write, writing } from "../store/database.ts";
import { lockAccount, returnUnits, takeUnits } from "../store/grants.ts";
import { appendUsage } from "../store/ledgers.ts";
import { type RecordAnswer, readRecord } from "../store/records.ts";
import type { Services } from "./services.ts";

/** The answer for one hash of a list; `refused` for a text that is no hash. */
export interface AskedRecord {
  readonly originalImageHash: string;
  readonly answer: RecordAnswer | { readonly outcome: "refused" };
}

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
    await takeUnits(write, account, { registrations: 0, lookups: hashes.filter(isHash).length });
    const answers = await answersFor(write, hashes.filter(isHash));
    const asked = hashes.map(
      (originalImageHash): AskedRecord => ({
        originalImageHash,
        answer: answers.get(originalImageHash) ?? { outcome: "refused" },
      }),
    );
    await charge(write, accountId, asked);
    return asked;
  });
}

async function answersFor(
  write: Write,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, RecordAnswer>> {
  const answers = new Map<string, RecordAnswer>();
  for (const hash of new Set(hashes)) answers.set(hash, await readRecord(write, Buffer.from(hash, "hex")));
  return answers;
}

async function charge(write: Write, accountId: string, asked: readonly AskedRecord[]): Promise<void> {
  const charged = asked.filter(
    ({ answer }) => answer.outcome === "published" || answer.outcome === "takenDown",
  );
  const free = asked.filter(({ answer }) => answer.outcome === "noRecordAnswered").length;
  await returnUnits(write, accountId, { registrations: 0, lookups: free });
  await appendUsage(
    write,
    charged.map(({ originalImageHash }) => ({
      account_id: accountId,
      kind: "record",
      units: 1,
      original_image_hash: Buffer.from(originalImageHash, "hex"),
    })),
  );
}
