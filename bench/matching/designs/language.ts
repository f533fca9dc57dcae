import type { Random } from "@colophon/testing/pictures.ts";
import { pick } from "@colophon/testing/chance.ts";

/** Letters by script: vowels and consonants that its made-up words alternate between. */
const SCRIPTS = {
  latin: ["aeiou", "bcdfghklmnprstvwz"],
  accented: ["aéèäöüô", "çñßčšžlmnrst"],
  cyrillic: ["аеиоуя", "бвгдзклмнпрстш"],
  greek: ["αεηιου", "βγδκλμνπρστφ"],
  arabic: ["اويى", "بتجحدرسعفقكلمنه"],
  hebrew: ["אויה", "בגדחכלמנפקרשת"],
  armenian: ["աեիոու", "բգդզլկհմնպսվտր"],
  georgian: ["აეიოუ", "ბგდვზთკლმნპრს"],
} as const;

export type Script = keyof typeof SCRIPTS;

const NAMES = Object.keys(SCRIPTS) as readonly Script[];

/** A script; Latin in half of the draws. */
export function drawScript(random: Random): Script {
  return random() < 0.5 ? "latin" : pick(random, NAMES);
}

/** A whole number from `low` to `high`, both included. */
export function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** A made-up word of one to four syllables. */
export function word(random: Random, script: Script): string {
  const [vowels, consonants] = SCRIPTS[script];
  const syllables = between(random, 1, 4);
  const letters = Array.from(
    { length: syllables },
    () => pick(random, Array.from(consonants)) + pick(random, Array.from(vowels)),
  ).join("");
  const ended = letters + (random() < 0.5 ? pick(random, Array.from(consonants)) : "");
  return random() < 0.25 ? ended.charAt(0).toUpperCase() + ended.slice(1) : ended;
}

/** `count` words with spaces between them. */
export function words(random: Random, script: Script, count: number): string {
  return Array.from({ length: count }, () => word(random, script)).join(" ");
}

/** The same, the first letter a capital. */
export function title(random: Random, script: Script, count: number): string {
  const said = words(random, script, count);
  return said.charAt(0).toUpperCase() + said.slice(1);
}

/** Two words that begin with capitals. */
export function person(random: Random, script: Script): string {
  return `${title(random, script, 1)} ${title(random, script, 1)}`;
}

/** A number of this many digits. */
export function digits(random: Random, count: number): string {
  return Array.from({ length: count }, () => String(between(random, 0, 9))).join("");
}

/** An amount with two decimals. */
export function amount(random: Random): string {
  return `${between(random, 1, 4999)}.${digits(random, 2)}`;
}

export function date(random: Random): string {
  return `${String(between(random, 1, 28)).padStart(2, "0")}.${String(between(random, 1, 12)).padStart(2, "0")}.${between(random, 1990, 2035)}`;
}

export function clockTime(random: Random): string {
  return `${String(between(random, 0, 23)).padStart(2, "0")}:${String(between(random, 0, 59)).padStart(2, "0")}`;
}

/** What `make` gives for each of `count` places. */
export function several<Each>(count: number, make: (at: number) => Each): Each[] {
  return Array.from({ length: count }, (_, at) => make(at));
}
