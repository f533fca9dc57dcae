import { Value } from "typebox/value";
import { describe, expect, test } from "vitest";
import * as contract from "../src/index.ts";

/** The fields of every answer as the contract's tables name them; a `?` marks one that may be null. */
const FIELDS: Readonly<Record<string, string>> = {
  Health: "service version",
  Registration: "id imageHash originalImageHash engineRecord",
  OpenedSlot: "slotId expiresAt",
  Slot: "slotId status entryCount openedAt expiresAt",
  UploadOutcome:
    "partIndex fileName? accepted imageHash? rejectionReason? registrationRemaining? lookupRemaining? registrationId?",
  UploadOutcomes: "outcomes",
  MissingHashes: "missing",
  SlotEntry: "imageHash manifestsHash? byteLength contentType? createdAt state notRegisteredReason?",
  SlotManifest: "entries",
  CommittedEntry: "imageHash state registrationId? failureReason?",
  CommittedSlot: "slotId status entries",
  Progress: "slotId status counts entries",
  LookupVerdict: "matched matchedOriginalImageHashes candidates",
  OpenedLookupSlot: "lookupSlotId expiresAt",
  LookupQuery: "imageHash state result? failureReason?",
  LookupSlotResults: "lookupSlotId queries",
  Manifest: "type form payload hash? signature?",
  Verification:
    "contentHash hashAlgorithm signedAtUtc signature signatureAlgorithm publicKey leafCertificate certificateChain leafCertificateThumbprint trustContext trustVersion canonicalVersion collectionSignature?",
  PublishedRecord: "originalImageHash outcome manifests? verification?",
  ListedRecord: "originalImageHash outcome manifests? verification? failureReason?",
  RecordList: "records",
  Grant: "grant consumed held remaining",
  AccountStats: "registrations lookups callCount",
  OpenedSequence: "sequenceId headFrame ticket",
  SequenceProgress: "state framesReceived expectedSize? reach gaps errata connected",
  AdmittedFrames: "frames verdict?",
  CommittedSequence: "sequenceHash? outcome sequenceRecordPublished frames",
  SequenceGaps: "gaps",
  SequenceResults: "sequenceHash outcome finalSize committedAt",
  ExpectedSizeRequest: "expectedSize",
  AbandonedSequence: "sequenceId state packetsPurged",
  Account:
    "accountId name? registrations lookups sequencesEnabled maxRequestBytes maxFramesPerSequence callCount createdAt",
  AccountList: "accounts",
  MintedToken: "tokenId token",
  TokenList: "tokens",
  TrustRoot: "trustContext certificate thumbprint",
  CustodyRow:
    "seq at kind subject imageHash? sequenceId? frameId? slotId? byteLength check? previousRowHash rowHash",
  UsageRow: "seq at kind units imageHash? originalImageHash? registrationId? slotId? previousRowHash rowHash",
  Inspection: "matched width height matches",
  LibraryRegistration:
    "registrationId? imageHash originalImageHash registeredAt manifests source sequenceId? frameId?",
  LibraryRegistrations: "registrations next?",
  OperationReason: "reason",
  OperationRow: "seq at kind originalImageHash? reason previousRowHash rowHash",
  LibrarySlots: "slots",
  LibraryLookupSlots: "lookupSlots",
  LibrarySequences: "sequences",
  C2paDiscovery: "apiEndpoint c2paSpecificationVersion capabilitiesEndpoint statusEndpoint",
  C2paMatches: "matches",
  C2paReceipt: "@context @type repository anchor",
  C2paBinding: "alg value",
  C2paAlgorithms: "watermarks fingerprints",
  C2paCapabilities: "c2paSpecificationVersion supportedCapabilities",
  C2paStatus: "status timestamp",
  Suspension: "suspendedAt?",
  Suspensions: "suspensions",
  TokenExpiryChange: "expiresAt?",
  TokenExpiries: "tokens",
  AccountTakeDown: "takenDown more",
};

/** Bodies whose fields may be left out: what a caller sends, and problems. */
const PARTIAL = new Set([
  "OpenApiDocument",
  "DeclaredHashes",
  "RecordsRequest",
  "AccountSettings",
  "TokenRequest",
  "Readiness",
]);

interface ObjectSchema {
  readonly properties: Record<string, { readonly anyOf?: readonly { readonly type?: string }[] }>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly examples: readonly object[];
}
const schemas: [string, ObjectSchema][] = JSON.parse(JSON.stringify(Object.entries(contract.NAMED_SCHEMAS)));

describe("every resource", () => {
  test.each(schemas)("%s has exactly the contract's fields, all of them always", (name, schema) => {
    if (PARTIAL.has(name) || name.endsWith("Problem")) return;
    const fields = Object.entries(schema.properties).map(([field, { anyOf }]) =>
      anyOf?.some(({ type }) => type === "null") ? `${field}?` : field,
    );
    expect(fields.join(" ")).toBe(FIELDS[name]);
    expect(schema.required).toEqual(Object.keys(schema.properties));
  });

  test.each(schemas)("%s admits no other field and has valid examples", (name, schema) => {
    expect(schema.additionalProperties).toBe(name === "OpenApiDocument");
    expect(schema.examples.length).toBeGreaterThan(0);
    for (const example of schema.examples) {
      expect(Value.Errors(contract.NAMED_SCHEMAS[name]!, example)).toEqual([]);
      if (name === "OpenApiDocument") continue;
      expect(Value.Check(contract.NAMED_SCHEMAS[name]!, { ...example, extra: 1 })).toBe(false);
    }
  });

  test("the table above knows every resource", () => {
    const named = schemas
      .map(([name]) => name)
      .filter((name) => !PARTIAL.has(name) && !name.endsWith("Problem"));
    expect(named.toSorted()).toEqual(Object.keys(FIELDS).toSorted());
  });
});

test("every refusal has a body that its schema admits", () => {
  for (const code of contract.REFUSAL_CODES) {
    const schema = contract.problemSchema(code, { inSequence: true });
    const { examples }: ObjectSchema = JSON.parse(JSON.stringify(schema));
    const body = { ...examples[0], title: contract.REFUSALS[code].title };
    expect(Value.Check(schema, body)).toBe(true);
  }
});
