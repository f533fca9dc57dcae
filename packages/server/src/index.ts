export { type BackupOptions, type RestoreOptions, runBackup, runRestore } from "./backup/run-backup.ts";
export type { Breach } from "./fsck/breach.ts";
export { checkConsistency, type ConsistencyOptions } from "./fsck/check-consistency.ts";
export { runFsck } from "./fsck/run-fsck.ts";
export { type RotatedKey, runKeyRotation } from "./keys/run-key-rotation.ts";
export { runService } from "./run.ts";
export { runIndexStatus } from "./split/run-index-status.ts";
export { runJoin, runSplit, type SplitOptions } from "./split/run-split.ts";
export { runWitness, type WitnessOptions } from "./witness/run-witness.ts";
