import { verifyLedger } from "@colophon/formats";
import { custodyLedger, ledgerEnds, operationLedger, usageLedger } from "../store/custody/ledgers.ts";
import { type Database, type Read, reading } from "../store/database.ts";
import { queryBreaches } from "../store/stored-data.ts";
import type { Breach } from "./breach.ts";
import { checkC2pa } from "./check-c2pa.ts";
import { checkLog } from "./check-log.ts";
import { checkRecords } from "./check-records.ts";
import { checkSequences } from "./check-sequences.ts";
import { checkSlotManifests } from "./check-slot-manifests.ts";
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
 * index, the chains of the ledgers of every account, the log, sequences, and what slots hold. Reads one snapshot and
 * changes nothing, so it may run beside the service. Returns every breach; none means that all is well.
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
    breaches.push(...(await checkSlotManifests(read)), ...(await checkSequences(read)));
    if (options.signatures) breaches.push(...(await checkRecords(read)), ...(await checkC2pa(read)));
    return breaches;
  });
}

const LEDGERS = { custody: custodyLedger, usage: usageLedger, operation: operationLedger } as const;

/** Every ledger is an unbroken chain that ends where its head says. */
async function checkLedgers(read: Read): Promise<readonly Breach[]> {
  const breaches: Breach[] = [];
  for (const { accountId, ledger, seq, rowHash } of await ledgerEnds(read)) {
    const verdict = await verifyLedger(LEDGERS[ledger](read, accountId));
    const report = (fault: string): number =>
      breaches.push({ rule: `the ${ledger} ledger is an unbroken chain`, what: `${accountId}: ${fault}` });
    if (!verdict.intact) report(verdict.message);
    else if (seq === null) report("where it ends is not noted.");
    else if (verdict.lastRowHash !== rowHash.toString("hex") || verdict.rows !== seq) {
      report(`ends before row ${seq}.`);
    }
  }
  return breaches;
}
