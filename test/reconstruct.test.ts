import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { reconstruct } from "../bench/matching/reconstruct.ts";
import { paintedPicture } from "@colophon/testing/pictures.ts";

const [WIDTH, HEIGHT] = [240, 160];

let data: string;
let out: string;

beforeAll(async () => {
  [data, out] = [
    await mkdtemp(join(tmpdir(), "colophon-data-")),
    await mkdtemp(join(tmpdir(), "colophon-out-")),
  ];
  for (let seed = 1; seed <= 4; seed += 1) {
    const picture = await paintedPicture(seed, WIDTH, HEIGHT);
    await writeFile(join(data, `${seed}.jpg`), picture);
  }
});
afterAll(async () => {
  for (const folder of [data, out]) await rm(folder, { recursive: true });
});

it("draws nothing from a sealed packet, and a likeness from an opened one", async () => {
  const lines: string[] = [];
  const print = (line: string): number => lines.push(line);
  await reconstruct({ data, out, victims: ["4"], limit: 3, points: 600, bits: 128, keyless: true, print });
  const band = (attack: string): number => {
    const line = lines.find((text) => text.startsWith(attack)) ?? "";
    // The second of three figures, each followed by one in brackets.
    return Number(line.slice(attack.length).match(/-?\d\.\d\d(?= \()/g)?.[1]);
  };
  expect(Math.abs(band("sealed packet"))).toBeLessThan(0.1);
  expect(band("points and cosine signs")).toBeGreaterThan(0.4);
  expect(await readdir(out)).toEqual(["4.png"]);
});
