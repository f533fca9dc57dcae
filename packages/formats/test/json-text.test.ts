import { type Random, seededRandom } from "@colophon/testing/pictures.ts";
import { expect, test } from "vitest";
import { countJsonValues, toUtf8 } from "../src/index.ts";

/** What JSON is made of, and what it is nearly made of. */
const PIECES =
  '{ } [ ] , : " 0 - 1 . e E+ 01 -0.5e-3 true false null tru "" "é" \\ \\u00 "\\u12aF" "\\x" "\\n"'.split(
    " ",
  );
const OTHERS = [" ", "\n", "\t", "\u0001", "\u00a0", "\ufeff", '"\u0001"', '"\u007f"'];

const oneOf = <Item>(items: readonly Item[], random: Random): Item =>
  items[Math.floor(random() * items.length)]!;

/** A value, and how many there are in it. */
function someValue(random: Random, depth = 0): { text: string; values: number } {
  const kind = Math.floor(random() * (depth > 3 ? 2 : 4));
  if (kind === 0) return { text: oneOf(["true", "null", "[ ]", "{}", '"a\\"b"'], random), values: 1 };
  if (kind === 1) return { text: String(1000 * random() - 500), values: 1 };
  const inner = Array.from({ length: Math.floor(random() * 4) }, () => someValue(random, depth + 1));
  const values = inner.reduce((sum, each) => sum + each.values, 1);
  if (kind === 2) return { text: `[${inner.map(({ text }) => text).join(" ,")}]`, values };
  return { text: `{${inner.map(({ text }, k) => `"k${k}" :${text}`).join(",\n")}}`, values };
}

test("values are counted, those of containers with them", () => {
  const random = seededRandom(7);
  for (let round = 0; round < 2_000; round += 1) {
    const { text, values } = someValue(random);
    expect({ text, values: countJsonValues(toUtf8(text)) }).toEqual({ text, values });
  }
});

test("what JSON.parse reads is read, and nothing else", () => {
  const random = seededRandom(8);
  for (let round = 0; round < 20_000; round += 1) {
    const piece = (): string => oneOf(random() < 0.9 ? PIECES : OTHERS, random);
    const { text: sound } = someValue(random);
    const at = Math.floor(random() * (sound.length + 1));
    const text =
      random() < 0.5
        ? Array.from({ length: Math.floor(random() * 8) }, piece).join("")
        : sound.slice(0, at) + piece() + sound.slice(at + Math.floor(random() * 3));
    const isJson = countJsonValues(toUtf8(text)) !== null;
    expect({ text, isJson }).toEqual({ text, isJson: isRead(text) });
  }
});

function isRead(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
