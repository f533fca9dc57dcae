import { scanBomb } from "../hostile/scan-bomb.ts";
import type { Behaviour } from "./behaviour.ts";
import { lookUpRepeatedly } from "./posted-images.ts";

const CLIENTS = 2;
const SIDE = 14_000;
const SCANS = 3_000;

/** Look-ups of a JPEG of 196 megapixels whose scans are repeated three thousand times: 1.2 MB a minute's work. */
export const repeatedScans: Behaviour = async (attack) => {
  await lookUpRepeatedly(attack, CLIENTS, await scanBomb(SIDE, SCANS));
};
