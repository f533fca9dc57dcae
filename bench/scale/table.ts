import type { ScaleResult, Spread } from "./scale-result.ts";

const KIB = 1024;

function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function spread({ p50, p95 }: Spread): string {
  return `${count(p50)} / ${count(p95)}`;
}

function kib(value: number): string {
  return (value / KIB).toFixed(1);
}

/** KiB that some tables take together. */
function together(bytes: ScaleResult["bytes"], tables: readonly string[]): string {
  return kib(tables.reduce((sum, table) => sum + (bytes[table] ?? 0), 0));
}

/** The results as a Markdown table, a row for each figure and a column for each size. */
export function tableOf(results: readonly ScaleResult[]): string {
  const [first] = results;
  const base = first?.negative.processor ?? 0;
  const rows: readonly (readonly [string, (result: ScaleResult) => string])[] = [
    ["originals", ({ originals }) => count(originals)],
    ["keys a query, p50 / p95", ({ keys }) => spread(keys)],
    ["postings of the keys, p50 / p95", ({ touched }) => spread(touched)],
    ["... those of heavy words as well", ({ unguarded }) => spread(unguarded)],
    ["pages touched by the vote, p50 / p95", ({ pages }) => spread(pages)],
    [
      "ranking parts and packets read, KiB, p50 / p95",
      ({ bytesRead }) => `${count(bytesRead.p50 / KIB)} / ${count(bytesRead.p95 / KIB)}`,
    ],
    ["candidates, p50 / p95", ({ candidates }) => spread(candidates)],
    ["retrieval, p50 / p95, ms", ({ retrieval }) => spread(retrieval)],
    ["negative look-up, wall, p50 / p95, ms", ({ negative }) => spread(negative.wall)],
    ["negative look-up, processor, mean, ms", ({ negative }) => count(negative.processor)],
    [
      `negative look-up against ${count(first?.originals ?? 0)} originals`,
      ({ negative }) => (negative.processor / base).toFixed(2),
    ],
    ["negative look-ups that matched", ({ negative }) => count(negative.matched)],
    ["look-up of a crop, wall, p50 / p95, ms", ({ positive }) => spread(positive.wall)],
    ["look-up of a crop, processor, mean, ms", ({ positive }) => count(positive.processor)],
    ["crops found", ({ positive }) => `${positive.found} of ${positive.asked}`],
    ["registration, wall, p50 / p95, ms", ({ registration }) => spread(registration.wall)],
    ["registration, processor, mean, ms", ({ registration }) => count(registration.processor)],
    [
      "registrations a second, one at a time",
      ({ registration }) => (1000 / registration.wall.mean).toFixed(1),
    ],
    [
      "packet, ranking part and words, KiB an original",
      ({ bytes }) => together(bytes, ["feature", "ranking_part"]),
    ],
    ["postings, KiB an original", ({ bytes }) => together(bytes, ["recent_posting", "posting_list"])],
    [
      "original and registration, KiB an original",
      ({ bytes }) => together(bytes, ["original", "registration"]),
    ],
    [
      "record and ledger rows, KiB an original",
      ({ bytes }) => together(bytes, ["record", "manifest", "custody_row", "usage_row"]),
    ],
    ["all together, KiB an original", ({ bytes }) => together(bytes, Object.keys(bytes))],
    ["memory of the service, MiB", ({ memory }) => count(memory.service)],
    ["memory of the database, MiB", ({ memory }) => count(memory.database)],
  ];
  const lines = rows.map(([name, cell]) => `| ${name} | ${results.map(cell).join(" | ")} |`);
  return [lines[0], `|---|${"---|".repeat(results.length)}`, ...lines.slice(1)]
    .map((line) => `${line}\n`)
    .join("");
}
