import type { CheckName, RecordCheck } from "@colophon/formats";

/** The steps of verifying a record, in the order in which one builds on the other. */
const STEPS = [
  "The record is what was asked for",
  "It speaks of this picture",
  "The manifests are those that were signed",
  "The key belongs to the certificates",
  "The certificates lead to a root you trust",
] as const;
const [asked, picture, manifests, certificates, root] = STEPS;

/** Every check stands in a step: one that none shows would be missed. */
const STEP_OF: Readonly<Record<CheckName, (typeof STEPS)[number]>> = {
  published: asked,
  algorithms: asked,
  contentHash: asked,
  signingTime: asked,
  originalFile: picture,
  imageSignature: picture,
  manifestHash: manifests,
  manifestSignature: manifests,
  collectionSignature: manifests,
  recordDigest: manifests,
  leafThumbprint: certificates,
  leafKey: certificates,
  leafPeriod: certificates,
  certificateUse: certificates,
  certificateSignature: certificates,
  certificateValidity: certificates,
  trustContext: certificates,
  trustRoot: root,
};

/** The checks of one step. */
export interface CheckGroup {
  readonly title: string;
  readonly checks: readonly RecordCheck[];
  /** The worst of the checks' results. */
  readonly result: RecordCheck["result"];
}

const WORST_FIRST = ["failed", "notChecked", "passed", "absent"] as const;

/** The checks by step; a step without checks is left out. */
export function checkGroups(checks: readonly RecordCheck[]): CheckGroup[] {
  return STEPS.flatMap((title) => {
    const own = checks.filter(({ name }) => STEP_OF[name] === title);
    const result = WORST_FIRST.find((one) => own.some((check) => check.result === one));
    return result === undefined ? [] : [{ title, checks: own, result }];
  });
}
