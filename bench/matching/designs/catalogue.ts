import { COMPOSED_FORMS } from "./composed/forms.ts";
import { COMPOSED_OVERLAYS } from "./composed/overlays.ts";
import { COMPOSED_PAGES } from "./composed/pages.ts";
import { COMPOSED_TEMPLATES } from "./composed/templates.ts";
import type { Design } from "./design.ts";
import { OVERLAYS } from "./overlays.ts";
import { CHARTS } from "./printed/charts.ts";
import { GRIDS } from "./printed/grids.ts";
import { OFFICE } from "./printed/office.ts";
import { SCREENS } from "./printed/screens.ts";
import { TRAVEL } from "./printed/travel.ts";
import { SHARED } from "./shared.ts";
import { CARDS } from "./templates/cards.ts";
import { FRAMES } from "./templates/frames.ts";
import { PHOTOGRAPHS_ON_PAGES } from "./templates/pages.ts";
import { PHOTOGRAPHS_ON_SCREENS } from "./templates/screens.ts";

/** Every kind of design. */
export const DESIGNS: readonly Design[] = [
  OVERLAYS,
  COMPOSED_OVERLAYS,
  FRAMES,
  PHOTOGRAPHS_ON_SCREENS,
  CARDS,
  PHOTOGRAPHS_ON_PAGES,
  COMPOSED_TEMPLATES,
  OFFICE,
  TRAVEL,
  CHARTS,
  GRIDS,
  SCREENS,
  COMPOSED_FORMS,
  SHARED,
  COMPOSED_PAGES,
].flat();
