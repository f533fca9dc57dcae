/**
 * Learns what tells points of lettering and drawings from points of something photographed, and writes it as the engine
 * reads it.
 *
 *     node tools/train-drawn.ts --traces DIR --cache DIR --out DIR
 *
 * `--traces`, `--cache`: `traces/7` and `cache` of the folder that `decision/material.ts` worked in, whose pictures are
 * still where they were. Of every sixth pair the points of the picture asked with are learned from: drawn are those in
 * blocks that show lettering, a drawing or a rule, photographed those in blocks that show something photographed.
 * Prints how well points are told apart of designs and originals that were left out (a fifth), then learns from all.
 * `--out`: the folder of the engine that gets `drawn-model.ts`. The same pictures give the same file, wherever they
 * lie.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import {
  DRAWN_INPUTS,
  GRAPHIC,
  NATURAL,
  RULE,
  WEIGHT_ONE,
  drawnInputs,
  kindAt,
  lookAt,
  resolvedFine,
} from "@colophon/engine/lab";
import { SubjectReader } from "../bench/matching/registered/subjects.ts";
import { type Compared, readTrace, readTraces } from "../bench/matching/designs/traces.ts";
import { foldOf, placeless } from "./decision/judged-pairs.ts";
import { packed } from "./train/packed.ts";
import { type Learning, type Network, type NetworkExample, learnNetwork, oddsBy } from "./train/network.ts";

const EVERY_PAIR = 6;
const EVERY_POINT = 3;
const FOLDS = 5;
const LEARNING: Learning = { units: 32, steps: 4_000_000, rate: 0.01, seed: 5 };

interface Point extends NetworkExample {
  readonly fold: number;
}

/** Pairs in an order that does not hang on where their pictures lie, and every so many of them. */
function everySixth(traces: string): Compared[] {
  const compared = Array.from(readTraces([traces]), (trace) => trace.compared);
  const named = compared.map((each) => ({ each, name: placeless({ compared: each }) }));
  const ordered = named.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ each }) => each);
  return ordered.filter(({ isSwapped }, at) => !isSwapped && at % EVERY_PAIR === 0);
}

/** The points of one pair's asked picture that lie in blocks of either kind. */
async function pointsOf(compared: Compared, traces: string, reader: SubjectReader): Promise<Point[]> {
  const [finding] = readTrace(traces, compared).findings;
  if (finding === undefined) return [];
  const { parts } = finding;
  const finest = resolvedFine(parts) ?? parts.coarse;
  if (finest === null || parts.points === null) return [];
  const { query } = await reader.read(compared.asked, "lookup");
  const looked = lookAt(finest);
  const fold = foldOf(compared, FOLDS);
  const points: Point[] = [];
  for (let i = 0; i < query.features.count; i += EVERY_POINT) {
    if (parts.points.query.covered[i] === 0) continue;
    const kind = kindAt(looked, parts.points.query, i);
    if (kind !== NATURAL && kind !== GRAPHIC && kind !== RULE) continue;
    const inputs = new Int8Array(DRAWN_INPUTS);
    drawnInputs(query.features, i, inputs);
    points.push({ inputs, isPositive: kind !== NATURAL, fold });
  }
  return points;
}

/** The share of pairs of a drawn and a photographed point in which the drawn one has the greater odds. */
function toldInOrder(network: Network, points: readonly Point[]): number {
  const judged = points.map((point) => ({ point, odds: oddsBy(network, point) }));
  const ascending = judged.toSorted((a, b) => a.odds - b.odds);
  let [photographed, told] = [0, 0];
  for (const { point } of ascending) {
    if (point.isPositive) told += photographed;
    else photographed += 1;
  }
  return told / (photographed * (points.length - photographed));
}

const weights = (numbers: Float64Array): string =>
  packed(numbers.map((number) => Math.round(WEIGHT_ONE * number)));

const modelText = ({
  hidden,
  output,
}: Network): string => `// Written by tools/train-drawn.ts, which says how.

import { readWholeNumbers } from "../learned/whole-numbers.ts";

/** The weight of input i for hidden unit u at \`[units * i + u]\`. */
export const HIDDEN_WEIGHTS: Int16Array = readWholeNumbers(\`
${weights(hidden)}
\`);
/** The weight of each hidden unit, then what is added to all. */
export const OUTPUT_WEIGHTS: Int16Array = readWholeNumbers(\`
${weights(output)}
\`);
`;

async function run(traces: string, cache: string, out: string): Promise<void> {
  const reader = new SubjectReader(cache);
  const points: Point[] = [];
  for (const compared of everySixth(traces)) {
    for (const point of await pointsOf(compared, traces, reader)) points.push(point);
  }
  const [left, learned] = [points.filter(({ fold }) => fold === 0), points.filter(({ fold }) => fold !== 0)];
  const told = toldInOrder(learnNetwork(learned, LEARNING), left);
  process.stdout.write(
    `${points.length} points; of ${left.length} left out ${told.toFixed(3)} told in order\n`,
  );
  writeFileSync(join(out, "drawn-model.ts"), modelText(learnNetwork(points, LEARNING)));
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: { traces: { type: "string" }, cache: { type: "string" }, out: { type: "string" } },
  });
  const { traces, cache, out } = values;
  if (traces === undefined || cache === undefined || out === undefined) {
    refuseCommandLine("--traces, --cache and --out are required");
  }
  await run(traces, cache, out);
}

if (import.meta.main) await main();
