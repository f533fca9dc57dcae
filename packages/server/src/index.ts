/**
 * What the command runs. Each loads what it needs when it is called: the service's process replaces itself before it
 * does anything, and none of the others needs what the service serves requests with.
 */
import type * as backup from "./backup/run-backup.ts";
import type * as consistency from "./fsck/check-consistency.ts";
import type * as fsck from "./fsck/run-fsck.ts";
import type * as rotation from "./keys/run-key-rotation.ts";
import type * as status from "./split/run-index-status.ts";
import type * as split from "./split/run-split.ts";
import type * as witness from "./witness/run-witness.ts";

export type { BackupOptions, RestoreOptions } from "./backup/run-backup.ts";
export type { Breach } from "./fsck/breach.ts";
export type { ConsistencyOptions } from "./fsck/check-consistency.ts";
export type { RotatedKey } from "./keys/run-key-rotation.ts";
export { runService } from "./run.ts";
export type { SplitOptions } from "./split/run-split.ts";
export type { WitnessOptions } from "./witness/run-witness.ts";

export const runBackup: typeof backup.runBackup = async (...call) =>
  (await import("./backup/run-backup.ts")).runBackup(...call);

export const runRestore: typeof backup.runRestore = async (...call) =>
  (await import("./backup/run-backup.ts")).runRestore(...call);

export const checkConsistency: typeof consistency.checkConsistency = async (...call) =>
  (await import("./fsck/check-consistency.ts")).checkConsistency(...call);

export const runFsck: typeof fsck.runFsck = async (...call) =>
  (await import("./fsck/run-fsck.ts")).runFsck(...call);

export const runKeyRotation: typeof rotation.runKeyRotation = async (...call) =>
  (await import("./keys/run-key-rotation.ts")).runKeyRotation(...call);

export const runIndexStatus: typeof status.runIndexStatus = async (...call) =>
  (await import("./split/run-index-status.ts")).runIndexStatus(...call);

export const runSplit: typeof split.runSplit = async (...call) =>
  (await import("./split/run-split.ts")).runSplit(...call);

export const runJoin: typeof split.runJoin = async (...call) =>
  (await import("./split/run-split.ts")).runJoin(...call);

export const runWitness: typeof witness.runWitness = async (...call) =>
  (await import("./witness/run-witness.ts")).runWitness(...call);
