export { type Breach, checkConsistency, type ConsistencyOptions } from "./fsck/check-consistency.ts";
export { runFsck } from "./fsck/run-fsck.ts";
export { runService } from "./run.ts";
