import type { Odds } from "@colophon/engine/lab";
import { SURE_SCENE } from "@colophon/engine/lab";
import { type Replayed, decided, replayed } from "../../bench/matching/designs/replay.ts";
import { type Compared, readTraces } from "../../bench/matching/designs/traces.ts";

/** One finding of a pair, and what the rules make of it. */
export interface Judged {
  readonly replayed: Replayed;
  /** By trees that have seen no pair of its fold. */
  odds: Odds;
  /** Whether it matches whatever the hypotheses say, whether a rule lets it match, and whether a clear hypothesis would. */
  readonly always: boolean;
  readonly byRule: boolean;
  readonly byOdds: boolean;
}

export interface Row {
  readonly compared: Compared;
  readonly fold: number;
  readonly findings: readonly Judged[];
}

/** Text-likeness over which an original looks printed, at least in part. */
export const PRINTED = 0.5;
/** Scenes in which nothing, or one small thing, moves: not told from an edit. */
export const NEARLY_STILL = /^(exposure-bracket|video-adjacent)$/;
/** Hard pairs that are no photographs of one scene. */
const NO_SCENE = /^(periodic|flat|same-template|shared-overlay)$/;
/** Edits after which a page shows too little of a photograph on it to be a right pair to it. */
const SHOWS_LITTLE = /^(half of it|thumbnail|carried in small)$/;
const MOST = Number.MAX_SAFE_INTEGER;

const isScene = ({ group, name }: Compared): boolean =>
  group === "scene" || (group === "hard" && !NO_SCENE.test(name));
/** Whether the original looks printed, as `situationOf` judges. */
export const isPrinted = ({ findings }: Row): boolean =>
  findings.some(({ replayed: { evidence } }) => evidence.textLikeness > PRINTED);
export const isRight = ({ compared }: Row): boolean => compared.relation !== "other";
/** Other pictures of one design, or of one pattern or form among the hard pairs. */
export const isWrongPart = ({ compared }: Row): boolean =>
  compared.relation === "other" && !isScene(compared);
export const isWrongScene = ({ compared }: Row): boolean =>
  compared.relation === "other" && isScene(compared);

/** Folds hold whole designs, whole scenes, and originals with all their attacks. */
function foldOf({ group, name, registered, draw }: Compared, folds: number): number {
  const whole = group === "attack" ? registered : group === "hard" || group === "scene" ? `${draw}` : name;
  let hash = 7;
  for (const letter of whole) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
  return (hash >>> 3) % folds;
}

function judged(finding: Replayed): Judged {
  return {
    replayed: finding,
    odds: { part: 0, scene: 0 },
    always: decided(finding, { part: -MOST, scene: -MOST }).isMatch,
    byRule: decided(finding, { part: MOST, scene: SURE_SCENE }).isMatch,
    byOdds: decided(finding, { part: MOST, scene: MOST }).isMatch,
  };
}

/** Whether a pair is what its relation says. */
function isWhatItSays({ group, relation, edit }: Compared): boolean {
  const isUnder = relation === "under" || relation === "bare";
  return !(isUnder && group !== "overlay" && SHOWS_LITTLE.test(edit));
}

/** The pairs of folders that `trace.ts` wrote, each with its fold and with what the rules make of it. */
export function readRows(traces: readonly string[], folds: number): Row[] {
  const rows: Row[] = [];
  for (const { compared, findings } of readTraces(traces)) {
    if (isWhatItSays(compared)) {
      rows.push({
        compared,
        fold: foldOf(compared, folds),
        findings: findings.map((finding) => judged(replayed(finding))),
      });
    }
  }
  return rows;
}
