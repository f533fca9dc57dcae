import type { C2paMatches } from "@colophon/contract";
import type { SoftBinding } from "@colophon/formats";
import { isAnonymous } from "../../store/accounts/anonymous.ts";
import { type Read, reading } from "../../store/database.ts";
import {
  type FoundStore,
  readStore,
  storesByBinding,
  storesByOriginal,
  storesOf,
} from "../../store/originals/c2pa-stores.ts";
import type { MatchedOriginal } from "../../engine/port.ts";
import type { Services } from "../services.ts";

type Needs = Pick<Services, "database" | "anonymousTurns">;

const HASH_BYTES = 32;

/** How matches are told: where this API is, and how many. */
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
 * The C2PA stores that state a soft binding; under the service's own fingerprint, those of the original with that hash. Nothing is charged.
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
 * The bytes of the C2PA store with a label, of the earliest live record that has one, or of the one under a hash; null without one.
 * Nothing is charged.
 * @throws Refusal serviceUnavailable when too many without a token wait
 */
export function readManifest(
  needs: Needs,
  accountId: string,
  { label, originalImageHash }: { label: string; originalImageHash: Buffer | null },
): Promise<Buffer | null> {
  return inTurn(needs, accountId, (read) => readStore(read, label, originalImageHash));
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
