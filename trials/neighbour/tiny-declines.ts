import type { Behaviour } from "./behaviour.ts";
import { lookUpRepeatedly } from "./posted-images.ts";

const CLIENTS = 48;

/**
 * Forty-eight clients that look up what begins like a JPEG and ends there: nothing to decode, but a whole request each.
 */
export const tinyDeclines: Behaviour = async (attack) => {
  await lookUpRepeatedly(attack, CLIENTS, Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16));
};
