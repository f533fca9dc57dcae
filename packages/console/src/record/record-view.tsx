import type { RecordAnswer } from "@colophon/client";
import {
  blake3Hex,
  type PublishedManifest,
  type PublishedRecord,
  type RecordCheck,
  type RecordVerification,
  verdictOf,
  verifyRecord,
} from "@colophon/formats";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Copyable } from "../components/copyable.tsx";
import { Fact, Facts } from "../components/facts.tsx";
import { PlaceNumber } from "../components/place-number.tsx";
import { saveFile } from "../browser/save-file.ts";
import { counted, grouped, instant } from "../wording.ts";
import { Certificates } from "./certificates.tsx";
import { Checks } from "./checks.tsx";
import { InLog } from "./in-log.tsx";
import { ManifestView } from "./manifest-view.tsx";
import { useTrust } from "./trust.ts";
import { TrustRoot } from "./trust-root.tsx";
import { Verdict } from "./verdict.tsx";

type Shown = PublishedRecord & { readonly text: string };

const UNPUBLISHED = {
  noRecordAnswered: "Nothing is known of this hash. Reading it cost nothing.",
  takenDown: "This record was taken down. The registry does not say by whom or why.",
  refused: "The service refuses this hash.",
  retry: "The service cannot answer for this hash yet. Ask again.",
} as const;

/**
 * A record: what it says, and whether that holds, checked here and now. `file` is what the reader looked up; only when
 * it is the original itself can it be compared with the record.
 */
export function RecordView({
  record,
  file = null,
  asked = null,
  number = null,
}: {
  record: Shown;
  file?: Uint8Array | null;
  /** The record as the service has just answered it; null for one that was kept, of which nothing leaves this page. */
  asked?: RecordAnswer | null;
  /** Which of several originals it is about; null of a single one. */
  number?: number | null;
}): VNode {
  const { outcome, manifests, verification, originalImageHash } = record;
  if (outcome !== "published" || manifests === null || verification === null) {
    return (
      <p class="unpublished">
        {outcome === "published" ? "The record is incomplete." : UNPUBLISHED[outcome]}
      </p>
    );
  }
  return (
    <article class="record sheet">
      <header>
        <h3>
          {number !== null && <PlaceNumber at={number - 1} />}
          <span>
            <span class="eyebrow">Record of {number === null ? "the original" : `original ${number}`}</span>
            <Copyable name="the record's hash" text={originalImageHash} shown={grouped(originalImageHash)} />
          </span>
        </h3>
      </header>
      <Verification
        record={record}
        manifests={manifests}
        verification={verification}
        file={file}
        asked={asked}
      />
      <div class="actions">
        <button
          type="button"
          onClick={() =>
            saveFile(`record-${originalImageHash.slice(0, 12)}.json`, "application/json", record.text)
          }
        >
          Save the record as JSON
        </button>
      </div>
    </article>
  );
}

function Verification({
  record,
  manifests,
  verification,
  file,
  asked,
}: {
  record: Shown;
  manifests: readonly PublishedManifest[];
  verification: RecordVerification;
  file: Uint8Array | null;
  asked: RecordAnswer | null;
}): VNode {
  const trust = useTrust();
  const isOriginal = useMemo(
    () => file !== null && blake3Hex(file) === verification.contentHash,
    [file, record],
  );
  const checks = useChecks(record, trust?.root ?? null, isOriginal ? file : null);
  return (
    <>
      <Verdict verdict={verdictOf(checks)} checks={checks} trust={trust} />
      <Said manifests={manifests} checks={checks} file={file} />
      <Facts>
        <Fact name="Signed">{instant(new Date(verification.signedAtUtc))}</Fact>
        <Fact name="By the registry of">{verification.trustContext}</Fact>
        {asked !== null && <InLog record={asked} />}
        {file !== null && (
          <Fact name="Your file">
            {isOriginal
              ? "is the registered original, byte for byte."
              : "is not the registered file itself; it shows the same picture."}
          </Fact>
        )}
      </Facts>
      <details class="all-checks" open={checks.some(({ result }) => result === "failed")}>
        <summary>{counted(checks.length, "check")}, step by step, as they came out here</summary>
        <Checks checks={checks} />
      </details>
      <details class="all-checks" open={trust === null}>
        <summary>Who vouches for it</summary>
        <TrustRoot verification={verification} />
        <Certificates verification={verification} />
      </details>
    </>
  );
}

/** The checks of a record, made again when one of these changes. `original`: its bytes; null without them. */
function useChecks(record: Shown, trustRoot: string | null, original: Uint8Array | null): RecordCheck[] {
  return useMemo(
    () =>
      verifyRecord(record, {
        at: new Date(),
        ...(trustRoot === null ? {} : { trustRoot }),
        ...(original === null ? {} : { originalBytes: original }),
      }),
    [record, trustRoot, original],
  );
}

function Said({
  manifests,
  checks,
  file,
}: {
  manifests: readonly PublishedManifest[];
  checks: readonly RecordCheck[];
  file: Uint8Array | null;
}): VNode {
  return (
    <section>
      <h3>What was said about it</h3>
      {manifests.length === 0 && <p>The record comes without any manifest.</p>}
      {manifests.map((manifest, at) => (
        <ManifestView key={at} manifest={manifest} altered={isAltered(checks, at)} file={file} />
      ))}
    </section>
  );
}

/** Whether a manifest is not the one that was signed. */
function isAltered(checks: readonly RecordCheck[], at: number): boolean {
  return checks.some(
    ({ name, index, result }) => name.startsWith("manifest") && index === at && result === "failed",
  );
}
