import type { CheckName, RecordCheck } from "@colophon/formats";

/** The steps of verifying a record, in the order in which one builds on the other. */
const STEPS: readonly { readonly title: string; readonly names: readonly CheckName[] }[] = [
  {
    title: "The record is what was asked for",
    names: ["published", "algorithms", "contentHash", "signingTime"],
  },
  { title: "It speaks of this picture", names: ["originalFile", "imageSignature"] },
  {
    title: "The manifests are those that were signed",
    names: ["manifestHash", "manifestSignature", "collectionSignature"],
  },
  {
    title: "The key belongs to the certificates",
    names: ["leafThumbprint", "leafKey", "certificateUse", "certificateSignature", "certificateValidity"],
  },
  { title: "The certificates lead to a root you trust", names: ["trustRoot"] },
];

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
  return STEPS.flatMap(({ title, names }) => {
    const own = checks.filter(({ name }) => names.includes(name));
    const result = WORST_FIRST.find((one) => own.some((check) => check.result === one));
    return result === undefined ? [] : [{ title, checks: own, result }];
  });
}
