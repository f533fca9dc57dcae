import type { Design } from "./design.ts";
import { OVERLAYS } from "./overlays.ts";
import { PRINTED } from "./printed.ts";
import { SHARED } from "./shared.ts";
import { TEMPLATES } from "./templates.ts";

/** Every kind of design. */
export const DESIGNS: readonly Design[] = [...OVERLAYS, ...TEMPLATES, ...PRINTED, ...SHARED];
