/**
 * Measures where `POST /inspect` says that an original lies: every attack on painted pictures, or on photographs of a
 * folder, against the map that the attack itself knows. Right is a place of which no corner of `region` lies further
 * from the true outline than 2 % of the query's diagonal, no corner of `part` further than 2 % of the original's, and
 * the other way round.
 *
 *     node bench/matching/places.ts [--photographs DIR] [--pictures 6] [--per-attack 3] [--only NAME,FAMILY,...]
 *                                   [--seed 1]
 *
 * Prints a table by attack: how many places were asked for and found, how many are right, and how far off the middle
 * one and the worst are. Attacks that no homography describes (lenses, waves, swirls) are left out. Originals that were
 * not found are recall's to count.
 */
import { stdout } from "node:process";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { readdirSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ColophonClient } from "@colophon/client";
import { createAccount } from "@colophon/testing/api-client.ts";
import { paintedPicture, seededRandom } from "@colophon/testing/pictures.ts";
import { serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";
import sharp from "sharp";
import { type Attack, type Other, type Pixels, pixelsOf, type Shown } from "./attacks/attack.ts";
import { ATTACKS } from "./attacks/list.ts";
import { clipped, distanceApart } from "./attacks/polygons.ts";
import { inverse, placed, type Point } from "./attacks/plane-map.ts";

const RIGHT = 0.02;
const ADMIN_TOKEN = "places-bench-operator-token-0123456789";
/** Shapes of the painted pictures, pixels. */
const SHAPES = [
  [1200, 800],
  [900, 1200],
  [1280, 854],
  [1000, 1000],
] as const;

interface Original {
  readonly id: string;
  readonly picture: Pixels;
}

interface Row {
  readonly attack: Attack;
  asked: number;
  /** Of each place found: how far off it is, as a share of the diagonal. */
  readonly off: number[];
}

function painted(count: number, seed: number): Promise<Uint8Array[]> {
  const pictures = Array.from({ length: count }, (_, at) => {
    const [width, height] = SHAPES[at % SHAPES.length] ?? [1200, 800];
    return paintedPicture(seed * 1_000 + at, width, height);
  });
  return Promise.all(pictures);
}

/** As many files of a folder, spread over the order of their names. */
function photographs(folder: string, count: number): Promise<Uint8Array[]> {
  const files = readdirSync(folder)
    .filter((name) => /\.jpe?g$/i.test(name))
    .toSorted();
  const step = files.length / Math.min(count, files.length);
  const chosen = files.filter((_, at) => Math.floor(at / step) > Math.floor((at - 1) / step));
  return Promise.all(chosen.map((name) => readFile(join(folder, name))));
}

async function register(client: ColophonClient, pictures: readonly Uint8Array[]): Promise<Original[]> {
  const originals: Original[] = [];
  for (const bytes of pictures) {
    const image = new Blob([new Uint8Array(bytes)], { type: "image/jpeg" });
    const { originalImageHash } = await client.register(image);
    originals.push({ id: originalImageHash, picture: await pixelsOf(sharp(bytes).autoOrient()) });
  }
  return originals;
}

/** Asks with one attacked picture, and adds to the row what is found of each original in it. */
async function measure(
  client: ColophonClient,
  row: Row,
  original: Original,
  originals: readonly Original[],
  seed: number,
): Promise<void> {
  const random = seededRandom(seed);
  const others = async (count: number): Promise<Other[]> =>
    originals.filter(({ id }) => id !== original.id).slice(0, count);
  const { bytes, map, alsoShows } = await row.attack.make(original.picture, { random, others });
  const shown: Shown[] = [{ id: original.id, map }, ...alsoShows];
  const type = `image/${(await sharp(bytes).metadata()).format}`;
  const { width, height, matches } = await client.inspect(new Blob([new Uint8Array(bytes)], { type }));
  for (const { id, map: place } of shown) {
    if (place === null) continue;
    row.asked += 1;
    const match = matches.find(({ originalImageHash }) => originalImageHash === id);
    const picture = originals.find((one) => one.id === id)?.picture;
    if (match === undefined || match.region === null || match.part === null || picture === undefined) {
      continue;
    }
    const region = clipped(
      cornersOf(picture).map((corner) => placed(place, corner)),
      { width, height },
    );
    const back = inverse(place);
    const part = region.map((corner) => placed(back, corner));
    const offInQuery = distanceApart(match.region, region) / Math.hypot(width, height);
    const offInOriginal = distanceApart(match.part, part) / Math.hypot(picture.width, picture.height);
    row.off.push(Math.max(offInQuery, offInOriginal));
  }
}

function cornersOf({ width, height }: Pixels): Point[] {
  return [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}

function lineOf({ attack, asked, off }: Row): string {
  const sorted = off.toSorted((a, b) => a - b);
  const right = sorted.filter((one) => one <= RIGHT).length;
  const middle = sorted[Math.floor(sorted.length / 2)];
  const cells = [
    attack.family,
    attack.name,
    String(asked),
    String(sorted.length),
    String(right),
    middle === undefined ? "" : percent(middle),
    middle === undefined ? "" : percent(sorted.at(-1) ?? 0),
  ];
  return `| ${cells.join(" | ")} |\n`;
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      pictures: { type: "string", default: "6" },
      "per-attack": { type: "string", default: "3" },
      photographs: { type: "string" },
      only: { type: "string" },
      seed: { type: "string", default: "1" },
    },
  });
  const [count, perAttack, seed] = [
    Number(values.pictures),
    Number(values["per-attack"]),
    Number(values.seed),
  ];
  const only = values.only?.split(",");
  const attacks = [...ATTACKS.usual, ...ATTACKS.further].filter(
    ({ name, family }) => only === undefined || only.includes(name) || only.includes(family),
  );
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-places-"));
  await using service = await ServiceProcess.start(serviceEnvironment(dataDir, ADMIN_TOKEN));
  const grants = { registrations: 1_000, lookups: 1_000_000 };
  const { token } = await createAccount(service.baseUrl, ADMIN_TOKEN, grants);
  const client = new ColophonClient({ baseUrl: service.baseUrl, token });
  const pictures =
    values.photographs === undefined ? painted(count, seed) : photographs(values.photographs, count);
  const originals = await register(client, await pictures);
  stdout.write("| Family | Attack | Asked | Found | Right | Middle one off | Worst off |\n");
  stdout.write("| --- | --- | ---: | ---: | ---: | ---: | ---: |\n");
  const rows = attacks.map((attack): Row => ({ attack, asked: 0, off: [] }));
  for (const [at, row] of rows.entries()) {
    for (let turn = 0; turn < perAttack; turn += 1) {
      const original = originals[(at + turn) % originals.length];
      if (original !== undefined) {
        await measure(client, row, original, originals, seed * 10_000 + at * 100 + turn);
      }
    }
    if (row.asked > 0) stdout.write(lineOf(row));
  }
  const all = rows.flatMap(({ off }) => off);
  const right = all.filter((off) => off <= RIGHT).length;
  const asked = rows.reduce((sum, row) => sum + row.asked, 0);
  stdout.write(
    `\n${asked} places asked for, ${all.length} found, ${right} of them right within 2 % of the diagonal.\n`,
  );
  await rm(dataDir, { recursive: true, force: true });
}

if (import.meta.main) await main();
