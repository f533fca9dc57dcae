/**
 * Measures matching in this process: recall of each attack and group, false matches, other photographs of the same
 * scene.
 *
 *     node bench/matching/evaluate.ts --data DIR [--queries DIR]... [--hard] [--shard I/N] [--limit N]
 *                                     [--cache DIR] [--findings FILE]
 *
 * `--data`: a folder with `manifest.json` (originals with id, file, kind; hardNegatives with pairs). `--queries`: a
 * folder with `queries.json` (file, attack, family, truth). Retrieval is the look-up's vote on an index in memory.
 * `--findings` writes one JSON line a query, with what was found of every candidate; `report.ts` prints the table from
 * such files.
 */
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import { directedPairs, readMatchSet, readQueries } from "./registered/match-set.ts";
import { Registry } from "./registered/registry.ts";
import { type QueryRecord, printReport } from "./report.ts";
import { SubjectReader } from "./registered/subjects.ts";

async function evaluateQueries(
  reader: SubjectReader,
  data: string,
  folders: readonly string[],
  [part, parts]: readonly [number, number],
  limit: number,
  emit: (record: QueryRecord) => void,
): Promise<void> {
  const manifest = readMatchSet(data);
  const kinds = new Map(manifest.originals.map(({ id, kind }) => [id, kind]));
  const registry = new Registry();
  for (const { id, file } of manifest.originals) {
    registry.add(id, await reader.readOriginal(join(data, file)));
  }
  for (const folder of folders) {
    const chosen = readQueries(folder)
      .filter((_, k) => k % parts === part)
      .slice(0, limit);
    for (const { file, attack, family, truth } of chosen) {
      const subject = await reader.read(join(folder, file), "lookup");
      emit({
        file: join(folder, file),
        attack,
        family,
        truth,
        kind: kinds.get(truth[0] ?? "") ?? "unknown",
        points: subject.query.features.count,
        examination: subject.milliseconds,
        ...registry.lookUp(subject),
      });
    }
  }
}

async function evaluateHard(
  reader: SubjectReader,
  data: string,
  [part, parts]: readonly [number, number],
  emit: (record: QueryRecord) => void,
): Promise<void> {
  const directed = directedPairs(readMatchSet(data));
  for (const { registered, asked, category } of directed.filter((_, k) => k % parts === part)) {
    const registry = new Registry();
    registry.add(registered, await reader.readOriginal(join(data, registered)));
    const subject = await reader.read(join(data, asked), "lookup");
    emit({
      file: asked,
      attack: `hard:${category}`,
      family: "hard",
      truth: [],
      kind: category,
      points: subject.query.features.count,
      examination: subject.milliseconds,
      ...registry.lookUp(subject),
    });
  }
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      data: { type: "string" },
      queries: { type: "string", multiple: true, default: [] },
      hard: { type: "boolean", default: false },
      shard: { type: "string", default: "0/1" },
      limit: { type: "string", default: "0" },
      cache: { type: "string" },
      findings: { type: "string" },
    },
  });
  if (values.data === undefined) refuseCommandLine("--data DIR is required");
  const [part, parts] = values.shard.split("/").map(Number) as [number, number];
  const records: QueryRecord[] = [];
  if (values.findings !== undefined) writeFileSync(values.findings, "");
  const emit = (record: QueryRecord): void => {
    if (values.findings === undefined) records.push(record);
    else appendFileSync(values.findings, `${JSON.stringify(record)}\n`);
  };
  const reader = new SubjectReader(values.cache ?? null);
  const limit = Number(values.limit) || Number.POSITIVE_INFINITY;
  if (values.queries.length > 0) {
    await evaluateQueries(reader, values.data, values.queries, [part, parts], limit, emit);
  }
  if (values.hard) await evaluateHard(reader, values.data, [part, parts], emit);
  if (values.findings === undefined) printReport(records);
}

if (import.meta.main) await main();
