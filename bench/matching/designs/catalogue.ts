import { BOLD_STROKES } from "./bold/strokes.ts";
import { BOLD_WORDS } from "./bold/words.ts";
import { AROUND_LARGE } from "./composed/around.ts";
import { COMPOSED_FORMS } from "./composed/forms.ts";
import { KITS } from "./composed/kits.ts";
import { ON_GROUNDS } from "./composed/on-grounds.ts";
import { COMPOSED_OVERLAYS, MARKED_PHOTOGRAPHS } from "./composed/overlays.ts";
import { COMPOSED_PAGES } from "./composed/pages.ts";
import { COMPOSED_TEMPLATES } from "./composed/templates.ts";
import type { Design } from "./design.ts";
import { EDGES } from "./opaque/edges.ts";
import { PLATES } from "./opaque/plates.ts";
import { SCREENED } from "./opaque/screens.ts";
import { OVERLAYS } from "./overlays.ts";
import { PREVIEW_LETTERING } from "./previews/lettering.ts";
import { PREVIEW_MARKS } from "./previews/marks.ts";
import { CHARTS } from "./printed/charts.ts";
import { DIAGRAMS } from "./printed/diagrams.ts";
import { GRIDS } from "./printed/grids.ts";
import { GROUNDED } from "./printed/grounded.ts";
import { LINED } from "./printed/lined.ts";
import { MAPS } from "./printed/maps.ts";
import { OFFICE } from "./printed/office.ts";
import { PHOTOGRAPHED } from "./printed/photographed.ts";
import { POSITIONS } from "./printed/positions.ts";
import { SCREENS } from "./printed/screens.ts";
import { SEATED } from "./printed/seated.ts";
import { TIMES } from "./printed/times.ts";
import { TRAVEL } from "./printed/travel.ts";
import { WAYS } from "./printed/ways.ts";
import { WOVEN } from "./printed/woven.ts";
import { SHARED } from "./shared.ts";
import { SHEET_MAPS } from "./sheets/maps.ts";
import { SHEET_PAPERS } from "./sheets/papers.ts";
import { BORDERS } from "./templates/borders.ts";
import { CARDS } from "./templates/cards.ts";
import { FRAMES } from "./templates/frames.ts";
import { MOUNTED } from "./templates/mounted.ts";
import { PHOTOGRAPHS_ON_PAGES } from "./templates/pages.ts";
import { PHOTOGRAPHS_ON_SCREENS } from "./templates/screens.ts";
import { PRINTS } from "./templates/prints.ts";
import { TEXTURED } from "./templates/textures.ts";
import { TILINGS } from "./tilings.ts";
import { VEILS } from "./veils.ts";

const SHEETS = [SHEET_MAPS, SHEET_PAPERS].flat();

/**
 * Kinds of sheets that nothing is ever learned from: of pictures from the air, of times, of papers on woven lines some,
 * while others are learned from.
 */
const SHEETS_APART: ReadonlySet<string> = new Set([
  "aerial-pins",
  "aerial-parcels",
  "tram-network",
  "pocket-timetable",
  "crossing-schedule",
  "supplier-bill",
  "award",
]);

/** Every kind of design but those apart. */
export const DESIGNS: readonly Design[] = [
  OVERLAYS,
  TILINGS,
  VEILS,
  COMPOSED_OVERLAYS,
  MARKED_PHOTOGRAPHS,
  PLATES,
  EDGES,
  SCREENED,
  PREVIEW_LETTERING,
  PREVIEW_MARKS,
  FRAMES,
  BORDERS,
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
  PHOTOGRAPHED,
  WOVEN,
  LINED,
  SEATED,
  DIAGRAMS,
  SCREENS,
  SHEETS.filter(({ name }) => !SHEETS_APART.has(name)),
  COMPOSED_FORMS,
  KITS,
  ON_GROUNDS,
  SHARED,
  COMPOSED_PAGES,
  AROUND_LARGE,
].flat();

/**
 * Designs for reports alone: forms drawn another way than all others but the sheets that are learned from, and what is
 * laid large over photographs.
 */
export const DESIGNS_APART: readonly Design[] = [
  SHEETS.filter(({ name }) => SHEETS_APART.has(name)),
  BOLD_WORDS,
  BOLD_STROKES,
].flat();
