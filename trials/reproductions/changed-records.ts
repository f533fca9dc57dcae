import type { TrustRoot } from "@colophon/contract";
import {
  parseRecord,
  type PublishedRecord,
  type RecordVerdict,
  type RecordVerification,
  verdictOf,
  verifyRecord,
} from "@colophon/formats";
import { ApiClient } from "@colophon/testing/api-client.ts";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { TrialService } from "../support/trial-service.ts";
import type { Outcome, Reproduction } from "./reproduction.ts";

/** A record whose manifests were removed on the way. */
export const strippedRecord: Reproduction = {
  name: "stripped-record",
  defect: "a record without its manifests is verified",
  run: async (seed) =>
    changed(seed, (record) => ({
      ...withVerification(record, { collectionSignature: null }),
      manifests: [],
    })),
};

/** A record whose time was moved by years. */
export const movedTime: Reproduction = {
  name: "moved-time",
  defect: "the time that a record states can be moved by years",
  run: async (seed) =>
    changed(seed, (record) => withVerification(record, { signedAtUtc: "2036-01-01T00:00:00.000Z" })),
};

/** A record that names another organisation than its certificates. */
export const otherContext: Reproduction = {
  name: "other-context",
  defect: "a verified record may name any organisation",
  run: async (seed) => changed(seed, (record) => withVerification(record, { trustContext: "Somebody Else" })),
};

function withVerification(record: PublishedRecord, change: Partial<RecordVerification>): PublishedRecord {
  const { verification } = record;
  return { ...record, verification: verification && { ...verification, ...change } };
}

async function changed(seed: number, change: (record: PublishedRecord) => PublishedRecord): Promise<Outcome> {
  await using service = await TrialService.start();
  const client = new ApiClient(service.baseUrl, (await service.account()).token);
  const bytes = Buffer.from('{"credit":"a trial"}');
  const image = await paintedPicture(seed, 480, 320);
  const { body } = await client.register(image, [{ kind: "credit", type: "application/json", bytes }]);
  const root = await trustRoot(service);
  const address = `${service.baseUrl}/records/${body.originalImageHash}`;
  const answer = await fetch(address, { headers: { authorization: `Bearer ${client.token}` } });
  const record = parseRecord(await answer.text());
  const verdict = (read: PublishedRecord): RecordVerdict =>
    verdictOf(verifyRecord(read, { trustRoot: root }));
  const [sound, altered] = [verdict(record), verdict(change(record))];
  return {
    holds: sound === "verified" && altered !== "verified",
    happens: `as answered: ${sound}; changed: ${altered}`,
  };
}

async function trustRoot({ baseUrl, adminToken }: TrialService): Promise<string> {
  const response = await fetch(`${baseUrl}/admin/trust-root`, {
    headers: { authorization: `Bearer ${adminToken}` },
  });
  return ((await response.json()) as TrustRoot).certificate;
}
