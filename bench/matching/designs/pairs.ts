import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Family } from "./design.ts";

/**
 * What the asked picture is to the registered one: another member of the design (which must not match), the member
 * itself, the design over the bare photograph that is registered, or the bare photograph of a member that is
 * registered.
 */
export type Relation = "other" | "itself" | "under" | "bare";

/** Two pictures, one registered and one asked with; files of the folder. */
export interface Pair {
  readonly registered: string;
  readonly asked: string;
  readonly design: string;
  /**
   * `scene`: two photographs of one scene, the design names what sets them apart and the draw the scene. `stranger`:
   * placed on the original that the design names, with which it has nothing or an element in common.
   */
  readonly family: Family | "scene" | "stranger";
  /** The how-manieth draw of the design. */
  readonly draw: number;
  readonly relation: Relation;
  readonly edit: string;
  /** Whether the photographs have much plain ground. */
  readonly plain: boolean;
  /**
   * The share of what the registered or the asked picture shows, the larger of the two, that is a photograph or a drawn
   * picture which both show; before any edit.
   */
  readonly shared: number;
  /** The share of its photograph that a member's window shows; 1 where it is not cut. */
  readonly seen: number;
  /** The share of what the member shows that its photograph is; 1 where that lies under all of it. */
  readonly filled: number;
}

export function readPairs(folder: string): readonly Pair[] {
  return JSON.parse(readFileSync(join(folder, "pairs.json"), "utf8")) as readonly Pair[];
}
