import { parseRecord, toPem, verifyRecord } from "@colophon/formats";
import { recordJson } from "../http/record-json.ts";
import type { Read } from "../store/database.ts";
import { readRecords } from "../store/originals/records.ts";
import type { Breach } from "./breach.ts";

const PAGE = 100;
/** Manifests of a page that are in memory at once. */
const PAGE_BYTES = 67_108_864;

/**
 * Verifies every published record as its reader would, from the answer of the records route: hashes, signatures,
 * certificates, and that the chain ends in this deployment's root. Takes tens of milliseconds a record.
 */
export async function checkRecords(read: Read): Promise<readonly Breach[]> {
  const roots = await read.selectFrom("trust_chain").select("root_certificate").execute();
  const trustRoot = roots.map((row) => toPem(row.root_certificate)).at(-1);
  const breaches: Breach[] = [];
  for (let after = 0; ; ) {
    const page = await livePage(read, after);
    if (page.length === 0) return breaches;
    after = page.at(-1)?.image_no ?? after;
    breaches.push(
      ...(await checkPage(
        read,
        page.map((row) => row.original_image_hash.toString("hex")),
        trustRoot,
      )),
    );
  }
}

function livePage(read: Read, after: number): Promise<{ image_no: number; original_image_hash: Buffer }[]> {
  return read
    .selectFrom("original")
    .select(["image_no", "original_image_hash"])
    .where("taken_down_at", "is", null)
    .where("image_no", ">", after)
    .orderBy("image_no")
    .limit(PAGE)
    .execute();
}

async function checkPage(
  read: Read,
  hashes: readonly string[],
  trustRoot: string | undefined,
): Promise<readonly Breach[]> {
  const breaches: Breach[] = [];
  // Heavy records are answered later: those that came are taken off until none is left.
  for (let left = hashes; left.length > 0; ) {
    const answers = await readRecords(read, left, PAGE_BYTES);
    const later: string[] = [];
    for (const originalImageHash of left) {
      const answer = answers.get(originalImageHash);
      if (!answer || answer.outcome === "retry") later.push(originalImageHash);
      else
        breaches.push(...faultsOf(recordJson({ originalImageHash, answer }), originalImageHash, trustRoot));
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
