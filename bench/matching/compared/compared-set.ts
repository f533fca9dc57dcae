import type { Distances } from "../hashes/global-hashes.ts";
import type { RelatedPair } from "../registered/match-set.ts";
import type { Verdict } from "./recall.ts";

/** One query and what each system said to it. */
export interface ComparedQuery extends Verdict {
  readonly file: string;
  readonly milliseconds: number;
  readonly refused?: number;
  readonly pdq: Distances;
  readonly perceptual: Distances;
}

/** What a run saw. */
export interface ComparedSet {
  readonly originals: number;
  readonly related: readonly RelatedPair[];
  /** Originals that the service did not register, with its reason. */
  readonly unregistered: readonly { readonly name: string; readonly reason: string }[];
  readonly attacked: readonly ComparedQuery[];
  readonly hard: readonly ComparedQuery[];
  /** Processor time of service and database for one attacked query, milliseconds. */
  readonly processorMs: number;
}
