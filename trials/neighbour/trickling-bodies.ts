import type { Behaviour } from "./behaviour.ts";
import { holdUnfinished } from "./unfinished-bodies.ts";

const CONNECTIONS = 12;
const BODY_BYTES = 64_000_000;
const BOUNDARY = "trickle";
const PART = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="image"; filename="i.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;

/** Twelve look-ups of 64 MB each that are sent but for a little, and then a byte every ten seconds. */
export const tricklingBodies: Behaviour = async (attack) => {
  await holdUnfinished(attack, CONNECTIONS, {
    target: "/lookup",
    contentType: `multipart/form-data; boundary=${BOUNDARY}`,
    declared: BODY_BYTES,
    opening: Buffer.concat([Buffer.from(PART), Buffer.from([0xff, 0xd8, 0xff])]),
    sentAtOnce: BODY_BYTES - 100_000,
  });
};
