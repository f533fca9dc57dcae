import type { Attack } from "./attack.ts";
import { COMPOSING } from "./composing.ts";
import { COVERING } from "./covering.ts";
import { CUTTING } from "./cutting.ts";
import { FURTHER } from "./further.ts";
import { SAVING } from "./saving.ts";
import { TONING } from "./toning.ts";

/** The attacks by which matching is measured, and those beyond them. */
export const ATTACKS: Readonly<Record<"usual" | "further", readonly Attack[]>> = {
  usual: [...SAVING, ...CUTTING, ...TONING, ...COVERING, ...COMPOSING],
  further: FURTHER,
};
