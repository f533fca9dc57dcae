import { setTimeout as sleep } from "node:timers/promises";
import { verifyLedger } from "@colophon/formats";
import { checkConsistency } from "../../packages/server/src/fsck/check-consistency.ts";
import {
  type Database,
  type DatabaseAddress,
  openDatabase,
} from "../../packages/server/src/store/database.ts";

const SETTLE_MS = 60_000;
const AGAIN_MS = 100;

/**
 * What is broken, each as a sentence, once nothing is under way: the rules of `fsck` and what a trial adds to them.
 * Gives the sweeps a minute until everything adds up; empty when all is well.
 *
 * @param others what is wrong beyond the rules
 */
export async function auditSettled(
  connection: DatabaseAddress,
  others: (database: Database) => Promise<readonly string[]> = async () => [],
): Promise<string[]> {
  const database = openDatabase(connection, 2, () => {});
  try {
    for (const deadline = Date.now() + SETTLE_MS; ; await sleep(AGAIN_MS)) {
      const breaches = await checkConsistency(database, { atRest: true });
      const wrong = [...breaches.map(({ rule, what }) => `${rule} (${what})`), ...(await others(database))];
      if (wrong.length === 0 || Date.now() > deadline) return wrong.map((what) => `broken: ${what}`);
    }
  } finally {
    await database.destroy();
  }
}

/** Exports both ledgers of an account over HTTP and re-derives their hash chains; breaches as sentences. */
export async function auditLedgers(
  baseUrl: string,
  adminToken: string,
  accountId: string,
): Promise<string[]> {
  const found: string[] = [];
  for (const ledger of ["custody", "usage"]) {
    const response = await fetch(`${baseUrl}/admin/accounts/${accountId}/${ledger}`, {
      headers: { authorization: `Bearer ${adminToken}` },
    });
    if (!response.ok) {
      found.push(`broken: the ${ledger} ledger can be exported (status ${response.status})`);
      continue;
    }
    const verdict = await verifyLedger(rowsOf(await response.text()));
    if (!verdict.intact) found.push(`broken: the ${ledger} ledger is a chain (${verdict.message})`);
  }
  return found;
}

function rowsOf(lines: string): unknown[] {
  return lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));
}
