/**
 * Prints the tables of a comparison again, from what `run.ts --json` kept; of several files as of one run.
 *
 *     node bench/matching/comparison-report.ts FILE...
 */
import { readFileSync } from "node:fs";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import type { ComparedQuery, ComparedSet } from "./compared/compared-set.ts";
import { type PictureHashes, within } from "./hashes/global-hashes.ts";
import { GROUPS, HARD_LIMITS } from "./compared/groups.ts";
import { PDQ_MOST_DIFFERING } from "./hashes/pdq.ts";
import { PERCEPTUAL_MOST_DIFFERING } from "./hashes/perceptual-hash.ts";
import { isPhotograph, quantile, recall, type Verdict } from "./compared/recall.ts";

/** One column: a system at one threshold. */
interface System {
  readonly name: string;
  readonly matched: (query: ComparedQuery) => readonly string[];
}

type IsRelated = (query: Verdict, name: string) => boolean;

/** Pairs that the set itself calls related, both ways. */
function relatedTo({ related }: ComparedSet): IsRelated {
  const pairs = new Set(related.flatMap(({ a, b }) => [`${a} ${b}`, `${b} ${a}`]));
  return ({ truth }, name) => truth.some((original) => pairs.has(`${original} ${name}`));
}

const isFalse =
  (isRelated: IsRelated) =>
  (query: Verdict, name: string): boolean =>
    !query.truth.includes(name) && !isRelated(query, name);

/** Most differing bits at which no query matches an unrelated original. */
function safeThreshold(
  queries: readonly ComparedQuery[],
  hash: keyof PictureHashes,
  isRelated: IsRelated,
): number {
  const unrelated = isFalse(isRelated);
  let nearest = Number.POSITIVE_INFINITY;
  for (const query of queries) {
    for (const [name, bits] of Object.entries(query[hash])) {
      if (bits < nearest && unrelated(query, name)) nearest = bits;
    }
  }
  return nearest - 1;
}

const hashSystem = (name: string, hash: keyof PictureHashes, most: number): System => ({
  name: `${name} <= ${most}`,
  matched: (query) => within(query[hash], most),
});

/**
 * Each hash at the threshold it is used with and, of attacked queries, at the widest that is free of false matches on
 * them.
 */
function systemsOf({ attacked }: ComparedSet, isRelated: IsRelated): readonly System[] {
  const at = (name: string, hash: keyof PictureHashes, usual: number): System[] => [
    hashSystem(name, hash, usual),
    ...(attacked.length > 0 ? [hashSystem(name, hash, safeThreshold(attacked, hash, isRelated))] : []),
  ];
  return [
    { name: "Colophon", matched: ({ matched }) => matched },
    ...at("PDQ", "pdq", PDQ_MOST_DIFFERING),
    ...at("pHash", "perceptual", PERCEPTUAL_MOST_DIFFERING),
  ];
}

const row = (...cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const line = (count: number): string => row(...Array.from({ length: count }, () => "---"));

function figure(verdicts: readonly Verdict[]): string {
  return verdicts.length === 0 ? "-" : recall(verdicts).toFixed(3);
}

function* recallTable(attacked: readonly ComparedQuery[], systems: readonly System[]): Generator<string> {
  yield row("Recall, photographs / all kinds", "queries", ...systems.map(({ name }) => name), "must");
  yield line(systems.length + 3);
  for (const { name, must, holds } of GROUPS) {
    const queries = attacked.filter(({ attack, family }) => holds(attack, family));
    const cells = systems.map((system) => {
      const verdicts = queries.map((query) => ({ ...query, matched: system.matched(query) }));
      return `${figure(verdicts.filter(isPhotograph))} / ${figure(verdicts)}`;
    });
    yield row(name, String(queries.length), ...cells, must.join(" / "));
  }
}

/** Pairs of query and original matched, by whether the set calls them related. */
function* wrongTable(
  attacked: readonly ComparedQuery[],
  systems: readonly System[],
  isRelated: IsRelated,
): Generator<string> {
  const unrelated = isFalse(isRelated);
  const count = (system: System, wrong: typeof unrelated): string =>
    String(attacked.flatMap((query) => system.matched(query).filter((name) => wrong(query, name))).length);
  yield row("Matched though not derived from", ...systems.map(({ name }) => name));
  yield line(systems.length + 1);
  yield row("unrelated originals", ...systems.map((system) => count(system, unrelated)));
  const related = (query: Verdict, name: string): boolean =>
    !query.truth.includes(name) && isRelated(query, name);
  yield row("originals that the set calls related", ...systems.map((system) => count(system, related)));
}

function* hardTable(hard: readonly ComparedQuery[], systems: readonly System[]): Generator<string> {
  yield row("Other photographs, accepted", "asked", ...systems.map(({ name }) => name), "must");
  yield line(systems.length + 3);
  for (const category of [...new Set(hard.map(({ kind }) => kind))].toSorted()) {
    const queries = hard.filter(({ kind }) => kind === category);
    const cells = systems.map((system) =>
      String(queries.filter((query) => system.matched(query).length > 0).length),
    );
    const [must] = HARD_LIMITS[category] ?? [];
    yield row(category, String(queries.length), ...cells, must === undefined ? "-" : `<= ${must} of all`);
  }
}

/** Every pair that the service matched and should not have, by name. */
function* wrongPairs(attacked: readonly ComparedQuery[], isRelated: IsRelated): Generator<string> {
  for (const query of attacked) {
    for (const name of query.matched.filter((each) => !query.truth.includes(each))) {
      const kind = isRelated(query, name) ? "related" : "unrelated";
      yield `- ${query.attack} of ${query.truth.join("+")} matched ${name} (${kind})`;
    }
  }
}

function* attackedLines(
  { attacked, originals, unregistered, processorMs }: ComparedSet,
  systems: readonly System[],
  isRelated: IsRelated,
): Generator<string> {
  yield `${attacked.length} queries against ${originals} originals, each looked up alone over HTTP.`;
  for (const { name, reason } of unregistered) yield `Not registered: ${name}: ${reason}`;
  yield "";
  yield* recallTable(attacked, systems);
  yield "";
  yield* wrongTable(attacked, systems, isRelated);
  yield "";
  yield* wrongPairs(attacked, isRelated);
  const refused = attacked.filter((query) => query.refused !== undefined);
  for (const { file, refused: status } of refused) yield `- ${file} was answered ${status}`;
  const times = attacked.map(({ milliseconds }) => milliseconds);
  const [median, late] = [quantile(times, 0.5), quantile(times, 0.95)].map((time) => time.toFixed(0));
  yield "";
  yield `Look-up: p50 ${median} ms, p95 ${late} ms; ${processorMs.toFixed(0)} ms of processor time, service and database.`;
  yield "";
}

/** The tables of a comparison, in Markdown. */
export function comparisonReport(compared: ComparedSet): string {
  const isRelated = relatedTo(compared);
  const systems = systemsOf(compared, isRelated);
  const lines = [
    ...(compared.attacked.length > 0 ? attackedLines(compared, systems, isRelated) : []),
    ...(compared.hard.length > 0 ? hardTable(compared.hard, systems) : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** Several runs on one set as one; each run's processor time counts as often as it asked. */
function joined(runs: readonly ComparedSet[]): ComparedSet {
  const [first] = runs;
  if (first === undefined) refuseCommandLine("FILE... is required");
  const attacked = runs.flatMap((run) => run.attacked);
  const spent = runs.reduce((sum, run) => sum + run.processorMs * run.attacked.length, 0);
  return {
    ...first,
    unregistered: runs.flatMap(({ unregistered }) => unregistered),
    attacked,
    hard: runs.flatMap(({ hard }) => hard),
    processorMs: spent / Math.max(1, attacked.length),
  };
}

if (import.meta.main) {
  const { positionals } = readCommandLine({ allowPositionals: true });
  const runs = positionals.map((file) => JSON.parse(readFileSync(file, "utf8")) as ComparedSet);
  process.stdout.write(comparisonReport(joined(runs)));
}
