import { collage } from "../support/collage.ts";
import type { Behaviour } from "./behaviour.ts";
import { lookUpRepeatedly } from "./posted-images.ts";

const CLIENTS = 8;
const ACROSS = 4;
const TILE = { width: 480, height: 320 } as const;

/** Eight clients that look a collage of all that the account has registered up. */
export const collages: Behaviour = async (attack) => {
  await lookUpRepeatedly(attack, CLIENTS, await collage(attack.registered, ACROSS, TILE));
};
