import { CLOSER_PART_TREES, CLOSER_SCENE_TREES } from "./closer-model.ts";
import type { Odds } from "./evidence.ts";
import { PART_TREES, SCENE_TREES } from "./model.ts";
import { sumOfLeaves } from "./trees.ts";

/** What the trees make of the signs of a first look. */
export function oddsOf(signs: Uint8Array): Odds {
  return { part: sumOfLeaves(PART_TREES, signs), scene: sumOfLeaves(SCENE_TREES, signs) };
}

/**
 * The first look's odds count a quarter. The leaves of the others are what they count for already: a quarter of those
 * that see everything, half of those that see nothing which comes from blocks' bits, and so from the key.
 */
export function closerOdds(first: Odds, forests: Odds): Odds {
  return {
    part: Math.round(first.part / 4) + forests.part,
    scene: Math.round(first.scene / 4) + forests.scene,
  };
}

/** What a closer look makes of its signs, beside the odds of the first one. */
export function closerOddsOf(first: Odds, signs: Uint8Array): Odds {
  return closerOdds(first, {
    part: sumOfLeaves(CLOSER_PART_TREES, signs),
    scene: sumOfLeaves(CLOSER_SCENE_TREES, signs),
  });
}

/**
 * Odds of a first look between which it is close. Looking closer at more than these decides hardly any pair otherwise,
 * and costs twice as much.
 */
const CLOSE = { least: -2000, most: 5500, mostScene: 2500 } as const;

/** Whether a first look leaves it open whether a part is shared, or whether it is another photograph of the scene. */
export function isClose({ part, scene }: Odds): boolean {
  return part > CLOSE.least && (part < CLOSE.most || scene < CLOSE.mostScene);
}
