import { createHash } from "node:crypto";
import { basename, dirname } from "node:path";
import type { Odds } from "@colophon/engine/lab";
import { type Replayed, decided, replayed } from "../../bench/matching/designs/replay.ts";
import { type Compared, asDrawn, isShownEnough, readTraces } from "../../bench/matching/designs/traces.ts";

/** One finding of a pair, and what the rules make of it. */
export interface Judged {
  readonly replayed: Replayed;
  /** By trees that have seen no pair of its fold. */
  odds: Odds;
  /** Whether it matches whatever the hypotheses say, and whether it does where they speak for it. */
  readonly always: boolean;
  readonly byOdds: boolean;
}

export interface Row {
  readonly compared: Compared;
  /** The key that the original was registered under: as `Trace.key`. */
  readonly key: number;
  readonly fold: number;
  readonly findings: readonly Judged[];
}

/** Scenes in which nothing, or one small thing, moves: not told from an edit. */
export const NEARLY_STILL = /^(exposure-bracket|video-adjacent)$/;
/** Hard pairs, as they are or edited, that are no photographs of one scene. */
const NO_SCENE = /^(periodic|flat|same-template|shared-overlay)$/;
const MOST = Number.MAX_SAFE_INTEGER;

const isScene = ({ group, name }: Compared): boolean =>
  (group === "scene" || group === "hard") && !NO_SCENE.test(name);
export const isRight = ({ compared }: Row): boolean => compared.relation !== "other";
/** Other pictures of one design, or of one pattern or form among the hard pairs. */
export const isWrongPart = ({ compared }: Row): boolean =>
  compared.relation === "other" && !isScene(compared);
export const isWrongScene = ({ compared }: Row): boolean =>
  compared.relation === "other" && isScene(compared);

/** A file with the name of its folder, which is of one draw. */
const inItsFolder = (file: string): string => `${basename(dirname(file))}/${basename(file)}`;

/** What tells a pair from others wherever the folders of its pictures lie: training must not depend on it. */
export const placeless = ({
  compared: { group, name, draw, relation, edit, registered, asked },
}: Pick<Row, "compared">): string =>
  [group, name, draw, relation, edit, inItsFolder(registered), inItsFolder(asked)].join("/");

/** A number from 0 to 255 that chance gave a pair, the same wherever its pictures lie. `which`: of 32 such numbers. */
export const chance = (row: Pick<Row, "compared">, which: number): number =>
  createHash("sha256").update(placeless(row)).digest()[which]!;

/** Folds hold whole designs, whole scenes, and originals with all their attacks and all strangers placed on them. */
export function foldOf(compared: Compared, folds: number): number {
  const { group, name, registered, draw } = asDrawn(compared);
  const whole =
    group === "attack" || group === "stranger"
      ? basename(registered)
      : group === "hard" || group === "scene"
        ? `${draw}`
        : name;
  let hash = 7;
  for (const letter of whole) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
  return (hash >>> 3) % folds;
}

const NO_ODDS: Odds = { part: 0, scene: 0 };

function judged(finding: Replayed): Judged {
  return {
    replayed: finding,
    odds: NO_ODDS,
    always: decided(finding, { part: -MOST, scene: -MOST }).isMatch,
    byOdds: decided(finding, { part: MOST, scene: MOST }).isMatch,
  };
}

/**
 * The pairs of folders that `trace.ts` wrote, each with its fold and with what the rules make of it, in an order of
 * their own.
 */
export function readRows(traces: readonly string[], folds: number): Row[] {
  const rows: Row[] = [];
  for (const { compared, key, findings } of readTraces(traces)) {
    if (isShownEnough(compared)) {
      rows.push({
        compared,
        key,
        fold: foldOf(compared, folds),
        findings: findings.map((finding) => judged(replayed(finding))),
      });
    }
  }
  const ordered = rows.map((row) => ({ row, name: `${placeless(row)}/${row.key}` }));
  return ordered.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ row }) => row);
}
