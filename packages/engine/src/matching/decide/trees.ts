import { readWholeNumbers } from "../../learned/whole-numbers.ts";

/**
 * Boosted trees in one list of whole numbers. Each tree is complete, thirty-one questions in the order of a heap: sign
 * and threshold of each question, then the thirty-two leaves. Question k goes on at 2 k + 1 where its sign is at most
 * the threshold, else at 2 k + 2.
 */
export const QUESTIONS = 31;
export const LEAVES = 32;
export const TREE_LENGTH: number = 2 * QUESTIONS + LEAVES;

/**
 * Reads such a list, as `readWholeNumbers` does.
 *
 * @throws {RangeError} where the bytes are no whole trees
 */
export function readTrees(text: string): Int16Array {
  const numbers = readWholeNumbers(text);
  if (numbers.length % TREE_LENGTH !== 0) throw new RangeError("The numbers are no list of whole trees.");
  return numbers;
}

/** The sum of the leaves that the signs lead to: whole numbers throughout, and the same on every machine. */
export function sumOfLeaves(trees: ArrayLike<number>, signs: Uint8Array): number {
  let sum = 0;
  for (let tree = 0; tree < trees.length; tree += TREE_LENGTH) {
    let at = 0;
    while (at < QUESTIONS) at = 2 * at + (signs[trees[tree + 2 * at]!]! > trees[tree + 2 * at + 1]! ? 2 : 1);
    sum += trees[tree + QUESTIONS + at]!;
  }
  return sum;
}
