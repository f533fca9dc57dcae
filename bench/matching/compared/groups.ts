/**
 * The rows of the table of results: which attacks belong to each, and the recall it must and should reach (photographs,
 * all kinds).
 */
export interface Group {
  readonly name: string;
  readonly must: readonly [photographs: number, all: number];
  readonly aim: readonly [photographs: number, all: number];
  readonly holds: (attack: string, family: string) => boolean;
}

/** The share of the area that a plain crop keeps, with or without re-encoding or halving; null for other attacks. */
function cropShare(attack: string): number | null {
  const found = /^crop-(\d+)(\+q50|\+r50)?$/.exec(attack);
  return found === null ? null : Number(found[1]);
}

const inFamily =
  (...families: readonly string[]) =>
  (_attack: string, family: string): boolean =>
    families.includes(family);

const cropWithin =
  (least: number, most: number) =>
  (attack: string): boolean => {
    const share = cropShare(attack);
    return share !== null && share >= least && share <= most;
  };

const TURNED_CHAINS = new Set(["mirror+crop-50", "rot90+crop-50+q50", "rot-7+crop-50+r50"]);

export const GROUPS: readonly Group[] = [
  {
    name: "re-encode, resize, formats, tag",
    must: [1, 0.99],
    aim: [1, 1],
    holds: (attack, family) =>
      attack !== "jpeg-q5" && ["reencode", "resize", "aspect", "orientation-tag"].includes(family),
  },
  { name: "crop >= 25 %", must: [0.99, 0.96], aim: [1, 1], holds: cropWithin(25, 100) },
  { name: "crop 10-15 %", must: [0.95, 0.83], aim: [0.98, 0.98], holds: cropWithin(10, 15) },
  { name: "crop 5 %", must: [0.75, 0.62], aim: [0.9, 0.9], holds: cropWithin(5, 5) },
  {
    name: "rotation, mirror, flips, with crop 50",
    must: [0.99, 0.98],
    aim: [1, 1],
    holds: (attack, family) => ["rotation", "dihedral"].includes(family) || TURNED_CHAINS.has(attack),
  },
  {
    name: "colour, inversion, blur, noise, q5",
    must: [0.98, 0.95],
    aim: [0.99, 0.99],
    holds: (attack, family) => attack === "jpeg-q5" || ["colour", "filter"].includes(family),
  },
  {
    name: "text, logo, border, collage, perspective",
    must: [0.97, 0.92],
    aim: [0.99, 0.99],
    holds: inFamily("overlay", "border", "collage", "perspective"),
  },
  { name: "pastes 60-20 %", must: [0.95, 0.9], aim: [0.98, 0.98], holds: inFamily("paste") },
  {
    name: "chains",
    must: [0.96, 0.92],
    aim: [0.98, 0.98],
    holds: (attack, family) => family === "chain" && !TURNED_CHAINS.has(attack),
  },
  { name: "all attacks", must: [0.98, 0.96], aim: [0.99, 0.98], holds: () => true },
];

/** Most shares of hard-negative pairs that may be and should be accepted. */
export const HARD_LIMITS: Readonly<Record<string, readonly [must: number, aim: number]>> = {
  viewpoint: [0, 0],
  stereo: [0, 0],
  burst: [0, 0],
  "panorama-overlap": [0, 0],
  "video-far": [0.2, 0.1],
  "video-near": [0.4, 0.2],
  "video-adjacent": [0.65, 0.4],
  "same-template": [0.02, 0],
  "shared-overlay": [0, 0],
  periodic: [0, 0],
};
