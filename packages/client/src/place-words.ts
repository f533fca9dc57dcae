import type { Inspection } from "@colophon/contract";

type Match = Inspection["matches"][number];
type Polygon = readonly (readonly [x: number, y: number])[];

/** Shares, sizes and turns that are as good as whole, one and none. */
const WHOLE_SHARE = 0.98;
const SAME_SIZE = 0.03;
const NO_TURN_DEGREES = 0.75;
/** It is never parted from its number. */
const PERCENT = "\u00a0%";

/**
 * What of an original shows in a picture, and how, as one sentence.
 *
 * @example
 * await client.register(photo);
 * const { matches } = await client.inspect(photo);
 * console.log(placeInWords(matches[0])); // "It is the same file."
 */
export function placeInWords(match: Match): string {
  if (match.relation === "identical") return "It is the same file.";
  if (match.relation === "samePixels") return "It is the same picture, in another file.";
  if (match.part === null) return "It shows the original; the place is not known.";
  const words = [
    shareInWords(match.part, match),
    sizeInWords(match.scale),
    match.mirrored ? "mirrored" : "",
    turnInWords(match.turnedDegrees),
    match.inverted ? "light and dark exchanged" : "",
  ];
  return `It shows ${words.filter(Boolean).join(", ")}.`;
}

function shareInWords(part: Polygon, { originalWidth, originalHeight }: Match): string {
  const share = area(part) / (originalWidth * originalHeight);
  if (share >= WHOLE_SHARE) return "the original";
  const percent = share < 0.01 ? `less than 1${PERCENT}` : `about ${Math.round(share * 100)}${PERCENT}`;
  const [x, y] = middle(part);
  const down = third(y / originalHeight, ["upper ", "", "lower "]);
  const across = third(x / originalWidth, ["left ", "", "right "]);
  return `${percent} of the original, from its ${down + across || "middle "}part`;
}

function sizeInWords(scale: number): string {
  if (Math.abs(scale - 1) < SAME_SIZE) return "at its own size";
  return scale < 1 ? `at ${percentOf(scale)} of its size` : `enlarged ${scale.toFixed(1)} times`;
}

function percentOf(scale: number): string {
  return `${scale < 0.095 ? (scale * 100).toFixed(1) : Math.round(scale * 100)}${PERCENT}`;
}

function turnInWords(degrees: number): string {
  const size = Math.abs(degrees);
  if (size < NO_TURN_DEGREES) return "";
  if (size > 180 - NO_TURN_DEGREES) return "upside down";
  return `turned ${Math.round(size)}° ${degrees > 0 ? "clockwise" : "anticlockwise"}`;
}

function third<Word>(share: number, words: readonly [Word, Word, Word]): Word {
  return share < 0.4 ? words[0] : share > 0.6 ? words[2] : words[1];
}

function area(polygon: Polygon): number {
  let twice = 0;
  for (const [at, [x, y]] of polygon.entries()) {
    const [nextX, nextY] = polygon[(at + 1) % polygon.length] ?? [x, y];
    twice += x * nextY - nextX * y;
  }
  return Math.abs(twice) / 2;
}

/** The middle of its corners. */
function middle(polygon: Polygon): [x: number, y: number] {
  const sum = polygon.reduce<[number, number]>(([x, y], corner) => [x + corner[0], y + corner[1]], [0, 0]);
  return [sum[0] / polygon.length, sum[1] / polygon.length];
}
