import type { C2paMatches } from "@colophon/contract";
import { recordPreimage, type SoftBinding } from "@colophon/formats";
import { isAnonymous } from "../../store/accounts/anonymous.ts";
import { type Read, reading } from "../../store/database.ts";
import {
  type FoundStore,
  readStore,
  recordOfStore,
  storesByBinding,
  storesByOriginal,
  storesOf,
} from "../../store/originals/c2pa-stores.ts";
import { readStatement } from "../../store/originals/records.ts";
import type { MatchedOriginal } from "../../engine/port.ts";
import { proofOf } from "../log/read-proof.ts";
import type { Services } from "../services.ts";

type Needs = Pick<Services, "database" | "anonymousTurns">;

const HASH_BYTES = 32;

/** How matches are reported: where this API is, and how many. */
export interface MatchTerms {
  /** Without a trailing slash. */
  readonly endpoint: string;
  readonly maxResults: number;
}

/** The C2PA stores of matched originals, in the order of the verdict. */
export async function storesOfMatches(
  read: Read,
  matches: readonly MatchedOriginal[],
  terms: MatchTerms,
): Promise<C2paMatches> {
  const numbers = [...new Set(matches.map(({ imageNo }) => imageNo))];
  return matchesOf(await storesOf(read, numbers), terms);
}

/**
 * The C2PA stores that state a soft binding; under the service's own fingerprint, those of the original with that hash.
 * Nothing is charged.
 * @throws Refusal serviceUnavailable when too many without a token wait
 */
export async function storesOfBinding(
  needs: Needs,
  accountId: string,
  { binding, fingerprint, ...terms }: MatchTerms & { binding: SoftBinding; fingerprint: string },
): Promise<C2paMatches> {
  const isOwn = binding.alg === fingerprint && binding.value.length === HASH_BYTES;
  return inTurn(needs, accountId, async (read) => {
    const own = isOwn ? await storesByOriginal(read, binding.value, terms.maxResults) : [];
    const stating = await storesByBinding(read, binding, terms.maxResults);
    // A store may state the fingerprint of its own original.
    const others = stating.filter(({ imageNo }) => own.every((store) => store.imageNo !== imageNo));
    return matchesOf([...own, ...others], terms);
  });
}

/**
 * The bytes of the C2PA store with a label, of the earliest live record that has one, or of the one under a hash; null
 * without one. Nothing is charged.
 * @throws Refusal serviceUnavailable when too many without a token wait
 */
export function readManifest(
  needs: Needs,
  accountId: string,
  { label, originalImageHash }: { label: string; originalImageHash: Buffer | null },
): Promise<Buffer | null> {
  return inTurn(needs, accountId, (read) => readStore(read, label, originalImageHash));
}

/** What is known of a store's publication. */
export type ReceiptAnswer =
  | {
      readonly outcome: "proven";
      readonly originalImageHash: string;
      /** C2SP tlog-proof. */
      readonly proof: string;
      /** Of the record digest. */
      readonly preimage: Uint8Array;
    }
  /** Its entry waits for a checkpoint. */
  | { readonly outcome: "waiting" }
  /** It is not in the log. */
  | { readonly outcome: "unlogged" }
  /** No live record carries it. */
  | { readonly outcome: "unknown" };

/**
 * The proof that the store which `readManifest` answers was published, and what its entry in the log is made of, from
 * one snapshot. Nothing is charged.
 * @throws Refusal serviceUnavailable when too many without a token wait
 */
export function readReceipt(
  needs: Needs,
  accountId: string,
  { label, originalImageHash }: { label: string; originalImageHash: Buffer | null },
): Promise<ReceiptAnswer> {
  return inTurn(needs, accountId, async (read) => {
    const hash = await recordOfStore(read, label, originalImageHash);
    if (hash === null) return { outcome: "unknown" };
    const proven = await proofOf(read, hash);
    const stated = await readStatement(read, hash);
    if (proven.outcome === "unknown" || stated === null) return { outcome: "unlogged" };
    if (proven.outcome === "waiting") return proven;
    const preimage = recordPreimage(stated.statement, stated.leafCertificate);
    return { ...proven, originalImageHash: hash.toString("hex"), preimage };
  });
}

function inTurn<T>(
  { database, anonymousTurns }: Needs,
  accountId: string,
  work: (read: Read) => Promise<T>,
): Promise<T> {
  const answer = (): Promise<T> => reading(database, work);
  return isAnonymous(accountId) ? anonymousTurns.readRecords(answer) : answer();
}

function matchesOf(found: readonly FoundStore[], { endpoint, maxResults }: MatchTerms): C2paMatches {
  return {
    matches: found.slice(0, maxResults).map(({ label, originalImageHash }) => ({
      manifestId: label,
      endpoint: `${endpoint}/records/${originalImageHash.toString("hex")}`,
    })),
  };
}
