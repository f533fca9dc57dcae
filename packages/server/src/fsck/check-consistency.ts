import { verifyLedger } from "@colophon/formats";
import { custodyLedger, ledgerHeads, operationLedger, usageLedger } from "../store/custody/ledgers.ts";
import { type Database, type Read, reading } from "../store/database.ts";
import { queryBreaches } from "../store/stored-data.ts";
import type { Breach } from "./breach.ts";
import { checkC2pa } from "./check-c2pa.ts";
import { checkLog } from "./check-log.ts";
import { checkRecords } from "./check-records.ts";
import { REST_RULES, STANDING_RULES } from "./rules.ts";

/** What to check. */
export interface ConsistencyOptions {
  /** Whether nothing is under way, so that nothing half done may be left either. */
  readonly atRest: boolean;
  /** Whether to verify the signatures of every record as well, which takes far longer than the rest. */
  readonly signatures?: boolean;
}

/**
 * Re-derives what the database says twice and compares: sums of grants, reservations, charges, custody, the match
 * index, and the chains of the ledgers of every account. Reads one snapshot and changes nothing, so it may run
 * beside the service. Returns every breach; none means that all is well.
 */
export function checkConsistency(
  database: Database,
  options: ConsistencyOptions,
): Promise<readonly Breach[]> {
  return reading(database, async (read) => {
    const breaches: Breach[] = [];
    for (const { name, breaches: query } of [...STANDING_RULES, ...(options.atRest ? REST_RULES : [])]) {
      breaches.push(...(await queryBreaches(read, query)).map((what) => ({ rule: name, what })));
    }
    breaches.push(...(await checkLedgers(read)), ...(await checkLog(read)));
    if (options.signatures) breaches.push(...(await checkRecords(read)), ...(await checkC2pa(read)));
    return breaches;
  });
}

const LEDGERS = { custody: custodyLedger, usage: usageLedger, operation: operationLedger } as const;

/** Every ledger is an unbroken chain that ends where its head says. */
async function checkLedgers(read: Read): Promise<readonly Breach[]> {
  const breaches: Breach[] = [];
  for (const head of await ledgerHeads(read)) {
    const verdict = await verifyLedger(LEDGERS[head.ledger](read, head.accountId));
    const at = { rule: `the ${head.ledger} ledger is an unbroken chain`, what: head.accountId };
    if (!verdict.intact) breaches.push({ ...at, what: `${at.what}: ${verdict.message}` });
    else if (verdict.lastRowHash !== head.rowHash.toString("hex") || verdict.rows !== head.seq) {
      breaches.push({ ...at, what: `${at.what}: ends before row ${head.seq}.` });
    }
  }
  return breaches;
}
