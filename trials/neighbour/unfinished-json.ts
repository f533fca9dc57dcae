import type { Behaviour } from "./behaviour.ts";
import { holdUnfinished } from "./unfinished-bodies.ts";

const CONNECTIONS = 120;
const BODY_BYTES = 16_000_000;

/** 120 JSON bodies of 16 MB that are sent but for the last bytes. */
export const unfinishedJson: Behaviour = async (attack) => {
  await holdUnfinished(attack, CONNECTIONS, {
    target: "/records",
    contentType: "application/json",
    declared: BODY_BYTES,
    opening: Buffer.from('{"originalImageHashes":["'),
    sentAtOnce: BODY_BYTES - 10_000,
  });
};
