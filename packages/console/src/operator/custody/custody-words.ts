import type { CustodyRow } from "../answers.ts";

/** What happened, in words. */
export const KIND_WORDS: Readonly<Record<CustodyRow["kind"], string>> = {
  received: "Received",
  derived: "Derived",
  deleted: "Deleted",
  deleteUnverified: "Deletion not verified yet",
};

/** What it happened to, in words. */
export const SUBJECT_WORDS: Readonly<Record<CustodyRow["subject"], string>> = {
  registrationImage: "picture to register",
  queryImage: "picture to look up",
  frame: "frame",
  packet: "packet",
};
