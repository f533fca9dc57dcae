import { verifyLedger } from "@colophon/formats";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, type ClientConfig } from "pg";

const SETTLE_MS = 60_000;

/** A rule of the stored data: a query that yields one row for every breach, with the breach as `what`. */
interface Rule {
  readonly name: string;
  readonly breaches: string;
}

const RULES: readonly Rule[] = [
  {
    name: "no engine call is left open",
    breaches: "select intent_id::text as what from engine_intent",
  },
  {
    name: "what is consumed of a grant equals its usage rows",
    breaches: `select account_id || ': ' || registration_consumed || '/' || lookup_consumed || ' consumed, usage '
        || registrations || '/' || lookups as what
      from account left join lateral (
        select coalesce(sum(units) filter (where kind = 'registration'), 0) as registrations,
               coalesce(sum(units) filter (where kind <> 'registration'), 0) as lookups
        from usage_row where usage_row.account_id = account.account_id) as usage on true
      where registration_consumed <> registrations or lookup_consumed <> lookups`,
  },
  {
    name: "no grant is overspent",
    breaches: `select account_id::text as what from account
      where registration_consumed > registration_grant or lookup_consumed > lookup_grant`,
  },
  {
    name: "a registration is whole",
    breaches: `select coalesce(registration_id::text, 'original ' || original.image_no) as what
      from original
      left join registration using (image_no)
      left join record using (image_no)
      left join feature using (image_no)
      where original.sequence_id is null and registration_id is null
        or original.sequence_id is null and (original.taken_down_at is null) <> (registration.taken_down_at is null)
        or (original.taken_down_at is null and (record.image_no is null or feature.image_no is null))`,
  },
  {
    name: "every registration was charged once",
    breaches: `select coalesce(registration.registration_id, usage_row.registration_id)::text as what
      from registration
      full join (select * from usage_row where kind = 'registration') as usage_row
        on usage_row.registration_id = registration.registration_id
      where registration.registration_id is null or usage_row.registration_id is null or usage_row.units <> 1
      union all
      select registration_id::text from usage_row where kind = 'registration' group by 1 having count(*) > 1`,
  },
  {
    name: "an image has one live original",
    breaches: `select encode(image_hash, 'hex') as what from original
      where taken_down_at is null group by image_hash having count(*) > 1`,
  },
  {
    name: "a live original is in the match index with all its words",
    breaches: `select 'original ' || image_no as what from original join feature using (image_no)
      where taken_down_at is null and cardinality(words) <>
        (select count(*) from posting where posting.image_no = original.image_no and word = any(words))`,
  },
  {
    name: "pixels taken into custody were let go once",
    breaches: `select encode(image_hash, 'hex') || ' ' || subject as what from custody_row
      where subject <> 'packet'
      group by account_id, image_hash, subject
      having count(*) filter (where kind = 'received') <> count(*) filter (where kind = 'deleted')`,
  },
];

async function auditStore(connection: ClientConfig): Promise<string[]> {
  const client = new Client(connection);
  await client.connect();
  try {
    const found: string[] = [];
    for (const { name, breaches } of RULES) {
      const { rows } = await client.query<{ what: string }>(breaches);
      found.push(...rows.map(({ what }) => `broken: ${name} (${what})`));
    }
    return found;
  } finally {
    await client.end();
  }
}

/**
 * Breaches of the rules that hold between requests, each as one sentence; empty when all is well. Looks once every engine call under way is settled, or has been waited for long enough.
 */
export async function auditSettled(connection: ClientConfig): Promise<string[]> {
  const deadline = Date.now() + SETTLE_MS;
  while ((await openIntents(connection)) > 0 && Date.now() < deadline) await sleep(50);
  return await auditStore(connection);
}

async function openIntents(connection: ClientConfig): Promise<number> {
  const client = new Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>("select count(*)::int from engine_intent");
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
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
