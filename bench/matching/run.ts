/**
 * Measures matching over HTTP, beside two global hashes on the same files: recall of each group of attacks, false
 * matches, other photographs of the same scene, and the time of a look-up.
 *
 *     node bench/matching/run.ts --data DIR [--queries DIR] [--hard] [--limit N] [--json FILE]
 *
 * `--data`: a folder with `manifest.json` (originals, hard negatives, related pairs). `--queries`: a folder with
 * `queries.json`: a service with a database of its own is started, all originals are registered, every query is looked
 * up alone, one after another. `--hard`: each picture of the hard pairs is registered alone in another service, which
 * is asked with its partners. `--limit N` takes N queries, and N hard pictures, spread over the list; SIGINT ends the
 * run with what was asked so far. `--json` keeps every answer, from which `comparison-report.ts` prints the tables
 * again.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import type { ComparedQuery, ComparedSet } from "./compared/compared-set.ts";
import { comparisonReport } from "./comparison-report.ts";
import { distances, hashPicture, type PictureHashes } from "./hashes/global-hashes.ts";
import { HttpRegistry, type NamedPicture } from "./registered/http-registry.ts";
import { directedPairs, readMatchSet, readQueries } from "./registered/match-set.ts";
import { readLuma } from "./read-luma.ts";
import { spread } from "./spread.ts";
import { untilInterrupted } from "./until-interrupted.ts";

/** How much is asked, and when to ask no more. */
interface Extent {
  readonly limit: number;
  readonly stopped: AbortSignal;
}

type Hashes = ReadonlyMap<string, PictureHashes>;

const readHashes = async (image: Uint8Array): Promise<PictureHashes> => hashPicture(await readLuma(image));

function hashDistances(query: PictureHashes, originals: Hashes): Pick<ComparedQuery, "pdq" | "perceptual"> {
  return {
    pdq: distances(query, originals, "pdq"),
    perceptual: distances(query, originals, "perceptual"),
  };
}

async function compareAttacked(
  data: string,
  queries: string,
  { limit, stopped }: Extent,
): Promise<Pick<ComparedSet, "unregistered" | "attacked" | "processorMs">> {
  const set = readMatchSet(data);
  const hashes = new Map<string, PictureHashes>();
  const pictures: NamedPicture[] = [];
  for (const { id, file } of set.originals) {
    const bytes = readFileSync(join(data, file));
    pictures.push({ name: id, bytes });
    hashes.set(id, await readHashes(bytes));
  }
  const kinds = new Map(set.originals.map(({ id, kind }) => [id, kind]));
  await using registry = await HttpRegistry.start();
  const unregistered = await registry.registerAll(pictures);
  const attacked: ComparedQuery[] = [];
  const before = await registry.processorMs();
  for (const query of spread(readQueries(queries), limit)) {
    if (stopped.aborted) break;
    const bytes = readFileSync(join(queries, query.file));
    attacked.push({
      ...query,
      kind: kinds.get(query.truth[0] ?? "") ?? "unknown",
      ...(await registry.lookUp(bytes)),
      ...hashDistances(await readHashes(bytes), hashes),
    });
    showProgress("queries", attacked.length);
  }
  const processorMs = ((await registry.processorMs()) - before) / Math.max(1, attacked.length);
  return { unregistered, attacked, processorMs };
}

async function compareHard(data: string, { limit, stopped }: Extent): Promise<ComparedQuery[]> {
  const byRegistered = Map.groupBy(directedPairs(readMatchSet(data)), ({ registered }) => registered);
  const chosen = spread([...byRegistered], limit);
  const pictures = new Map<string, { bytes: Uint8Array; hashes: PictureHashes }>();
  for (const file of new Set(chosen.flatMap(([name, pairs]) => [name, ...pairs.map(({ asked }) => asked)]))) {
    const bytes = readFileSync(join(data, file));
    pictures.set(file, { bytes, hashes: await readHashes(bytes) });
  }
  const hard: ComparedQuery[] = [];
  await using registry = await HttpRegistry.start();
  for (const [registered, pairs] of chosen) {
    if (stopped.aborted) break;
    const picture = pictures.get(registered)!;
    await registry.whileRegistered({ name: registered, bytes: picture.bytes }, async () => {
      for (const { asked, category } of pairs) {
        const { bytes, hashes } = pictures.get(asked)!;
        hard.push({
          file: `${asked} of ${registered}`,
          attack: category,
          family: "hard",
          truth: [],
          kind: category,
          ...(await registry.lookUp(bytes)),
          ...hashDistances(hashes, new Map([[registered, picture.hashes]])),
        });
        showProgress("hard pairs", hard.length);
      }
    });
  }
  return hard;
}

function showProgress(what: string, done: number): void {
  if (process.stderr.isTTY || done % 50 === 0) process.stderr.write(`${done} ${what}\n`);
}

/** Runs what is asked for. `limit` bounds the queries, and the registered pictures of hard pairs. */
export async function compareOverHttp(
  options: Extent & { readonly data: string; readonly queries: string | null; readonly hard: boolean },
): Promise<ComparedSet> {
  const { data, queries } = options;
  const { originals, related = [] } = readMatchSet(data);
  const attacked =
    queries === null
      ? { unregistered: [], attacked: [], processorMs: 0 }
      : await compareAttacked(data, queries, options);
  const hard = options.hard ? await compareHard(data, options) : [];
  return { originals: originals.length, related, ...attacked, hard };
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      data: { type: "string" },
      queries: { type: "string" },
      limit: { type: "string" },
      hard: { type: "boolean", default: false },
      json: { type: "string" },
    },
  });
  const { data, queries = null, hard, json } = values;
  if (data === undefined) refuseCommandLine("--data DIR is required");
  if (queries === null && !hard) refuseCommandLine("--queries DIR, --hard or both are required");
  const limit = values.limit === undefined ? Number.POSITIVE_INFINITY : Number(values.limit);
  const compared = await compareOverHttp({ data, queries, limit, hard, stopped: untilInterrupted() });
  if (json !== undefined) writeFileSync(json, JSON.stringify(compared));
  process.stdout.write(comparisonReport(compared));
}

if (import.meta.main) await main();
