import { type Answer, answerFromBefore } from "./answers.ts";
import {
  failing,
  imageOnly,
  type RecordVector,
  sound,
  UNSIGNED_MANIFESTS,
  verificationWith,
  withoutManifests,
  withUnsignedManifests,
} from "./record-vector.ts";

/** What a leaf from before does not say. */
const UNNAMED = ["recordDigest", "leafPeriod"];
const ALL_VALIDITIES = ["certificateValidity 0", "certificateValidity 1", "certificateValidity 2"];

/** Records from before leaf certificates named their record, and what can and cannot be told of them. */
export function recordsFromBefore(): RecordVector[] {
  const before = answerFromBefore();
  const moved = (signedAtUtc: string): Answer => verificationWith({ signedAtUtc }, before);
  return [
    sound("from before: two manifests", before, UNNAMED),
    sound("from before: a time moved by 50 seconds", moved("2026-11-20T11:59:10.250Z"), UNNAMED),
    imageOnly("from before: no manifest", answerFromBefore({ manifests: [] }), [
      ...UNNAMED,
      "collectionSignature",
    ]),
    imageOnly("from before: manifests taken away", withoutManifests(before), [
      ...UNNAMED,
      "collectionSignature",
    ]),
    imageOnly("from before manifest signing", answerFromBefore({ version: 1 }), [
      ...UNNAMED,
      ...UNSIGNED_MANIFESTS,
    ]),
    imageOnly(
      "from before: all that signs manifests stripped, and their text changed",
      withUnsignedManifests(before),
      [...UNNAMED, ...UNSIGNED_MANIFESTS],
    ),
    failing(
      "from before: a manifest left out",
      { ...before, manifests: before.manifests.slice(0, 1) },
      ["collectionSignature"],
      UNNAMED,
    ),
    failing(
      "from before: signed before its certificates",
      answerFromBefore({ signedAt: new Date("2026-11-20T10:59:59Z") }),
      ALL_VALIDITIES,
      UNNAMED,
    ),
    failing(
      "from before: signed after its leaf",
      answerFromBefore({ signedAt: new Date("2046-11-20T12:00:01Z") }),
      [...ALL_VALIDITIES.slice(0, 2), "signingTime"],
      UNNAMED,
    ),
    failing(
      "from before: another trust context",
      verificationWith({ trustContext: "another.example" }, before),
      ["trustContext"],
      UNNAMED,
    ),
  ];
}
