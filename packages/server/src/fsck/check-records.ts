import { parseRecord, toPem, verifyRecord } from "@colophon/formats";
import { recordJson } from "../registry/records/record-json.ts";
import type { Read } from "../store/database.ts";
import { readTrustChain } from "../store/keys.ts";
import { liveOriginalsAfter } from "../store/originals/originals.ts";
import { readRecords } from "../store/originals/records.ts";
import type { Breach } from "./breach.ts";
import { pages } from "./pages.ts";

const PAGE = 100;
/** Manifests of a page that are in memory at once. */
const PAGE_BYTES = 67_108_864;
/** They are counted nowhere: nobody else is at work on a registry that is checked. */
const UNCOUNTED = { take: () => {} };

/**
 * Verifies every published record as its reader would, from the answer of the records route: hashes, signatures,
 * certificates, and that the chain ends in this deployment's root. Takes tens of milliseconds a record.
 */
export async function checkRecords(read: Read): Promise<readonly Breach[]> {
  const chain = await readTrustChain(read);
  const trustRoot = chain === null ? undefined : toPem(chain.rootCertificate);
  const breaches: Breach[] = [];
  for await (const page of pages("imageNo", 0, (after) => liveOriginalsAfter(read, after, PAGE))) {
    const hashes = page.map(({ originalImageHash }) => originalImageHash.toString("hex"));
    breaches.push(...(await checkPage(read, hashes, trustRoot)));
  }
  return breaches;
}

async function checkPage(
  read: Read,
  hashes: readonly string[],
  trustRoot: string | undefined,
): Promise<readonly Breach[]> {
  const breaches: Breach[] = [];
  // Heavy records are answered later: those that came are taken off until none is left.
  for (let left = hashes; left.length > 0; ) {
    const answers = await readRecords(read, left, PAGE_BYTES, UNCOUNTED);
    const later: string[] = [];
    for (const [at, originalImageHash] of left.entries()) {
      const answer = answers[at];
      if (!answer || answer.outcome === "retry") later.push(originalImageHash);
      else {
        breaches.push(...faultsOf(recordJson({ originalImageHash, answer }), originalImageHash, trustRoot));
      }
    }
    left = later;
  }
  return breaches;
}

function faultsOf(json: Buffer, originalImageHash: string, trustRoot: string | undefined): readonly Breach[] {
  const checks = verifyRecord(parseRecord(json), trustRoot === undefined ? {} : { trustRoot });
  return checks
    .filter(({ name, result }) => result === "failed" || (name === "published" && result !== "passed"))
    .map(({ sentence }) => ({
      rule: "a published record verifies",
      what: `${originalImageHash}: ${sentence}`,
    }));
}
