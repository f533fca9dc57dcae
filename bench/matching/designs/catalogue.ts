import { MAPS_APART } from "./apart/maps.ts";
import { PAPERS_APART } from "./apart/papers.ts";
import { AROUND_LARGE } from "./composed/around.ts";
import { COMPOSED_FORMS } from "./composed/forms.ts";
import { COMPOSED_OVERLAYS } from "./composed/overlays.ts";
import { COMPOSED_PAGES } from "./composed/pages.ts";
import { COMPOSED_TEMPLATES } from "./composed/templates.ts";
import type { Design } from "./design.ts";
import { OVERLAYS } from "./overlays.ts";
import { CHARTS } from "./printed/charts.ts";
import { DIAGRAMS } from "./printed/diagrams.ts";
import { GRIDS } from "./printed/grids.ts";
import { GROUNDED } from "./printed/grounded.ts";
import { MAPS } from "./printed/maps.ts";
import { OFFICE } from "./printed/office.ts";
import { POSITIONS } from "./printed/positions.ts";
import { SCREENS } from "./printed/screens.ts";
import { TIMES } from "./printed/times.ts";
import { TRAVEL } from "./printed/travel.ts";
import { WAYS } from "./printed/ways.ts";
import { SHARED } from "./shared.ts";
import { CARDS } from "./templates/cards.ts";
import { FRAMES } from "./templates/frames.ts";
import { MOUNTED } from "./templates/mounted.ts";
import { PHOTOGRAPHS_ON_PAGES } from "./templates/pages.ts";
import { PHOTOGRAPHS_ON_SCREENS } from "./templates/screens.ts";
import { PRINTS } from "./templates/prints.ts";
import { TEXTURED } from "./templates/textures.ts";
import { TILINGS } from "./tilings.ts";
import { VEILS } from "./veils.ts";

/** Every kind of design. */
export const DESIGNS: readonly Design[] = [
  OVERLAYS,
  TILINGS,
  VEILS,
  COMPOSED_OVERLAYS,
  FRAMES,
  PHOTOGRAPHS_ON_SCREENS,
  CARDS,
  PHOTOGRAPHS_ON_PAGES,
  TEXTURED,
  PRINTS,
  MOUNTED,
  COMPOSED_TEMPLATES,
  OFFICE,
  TRAVEL,
  CHARTS,
  GRIDS,
  MAPS,
  WAYS,
  TIMES,
  POSITIONS,
  GROUNDED,
  DIAGRAMS,
  SCREENS,
  COMPOSED_FORMS,
  SHARED,
  COMPOSED_PAGES,
  AROUND_LARGE,
].flat();

/** Forms drawn another way, with other faces, of kinds that are not among `DESIGNS`: for reports alone. */
export const DESIGNS_APART: readonly Design[] = [MAPS_APART, PAPERS_APART].flat();
