import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { readPairs } from "../bench/matching/designs/pairs.ts";
import type { RelatedPair } from "../bench/matching/registered/match-set.ts";
import { drawStrangers } from "../tools/decision/strangers.ts";

const folder = mkdtempSync(join(tmpdir(), "strangers-"));
afterAll(() => rmSync(folder, { recursive: true }));

const QUERIES = join(folder, "queries");

/** A match set of the two pictures. */
function writeSet(name: string, related: readonly RelatedPair[]): string {
  const data = join(folder, name);
  mkdirSync(data);
  const originals = ["whole", "showing"].map((id) => ({ id, file: `../${id}.jpg`, kind: "photo" }));
  writeFileSync(join(data, "manifest.json"), JSON.stringify({ originals, hardNegatives: [], related }));
  return data;
}

beforeAll(async () => {
  const whole = await paintedPicture(71, 900, 600);
  const other = await paintedPicture(72, 900, 600);
  const part = await sharp(whole).extract({ left: 200, top: 100, width: 500, height: 400 }).toBuffer();
  const showing = await sharp(other)
    .composite([{ input: part, left: 40, top: 60 }])
    .jpeg()
    .toBuffer();
  writeFileSync(join(folder, "whole.jpg"), whole);
  writeFileSync(join(folder, "showing.jpg"), showing);
  mkdirSync(QUERIES);
  writeFileSync(join(QUERIES, "asked.jpg"), await sharp(whole).jpeg({ quality: 60 }).toBuffer());
  const query = { file: "asked.jpg", attack: "jpeg-q60", family: "reencode", truth: ["whole"] };
  writeFileSync(join(QUERIES, "queries.json"), JSON.stringify([query]));
});

it("what is placed on an original of another picture is a wrong pair, and its own original is none", async () => {
  const out = join(folder, "strangers");
  expect(await drawStrangers([{ data: writeSet("apart", []), queries: [QUERIES] }], out, null)).toBe(1);
  const [pair] = readPairs(out);
  expect(pair).toMatchObject({ design: "showing", family: "stranger", relation: "other", edit: "jpeg-q60" });
  expect(join(out, pair!.registered)).toBe(join(folder, "showing.jpg"));
  expect(join(out, pair!.asked)).toBe(join(QUERIES, "asked.jpg"));
});

it("pictures of which one is in the other are no strangers", async () => {
  const related = [{ a: "whole", b: "showing", relation: "derived: the one shows the other" }];
  const out = join(folder, "kindred");
  expect(await drawStrangers([{ data: writeSet("kin", related), queries: [QUERIES] }], out, null)).toBe(0);
});
