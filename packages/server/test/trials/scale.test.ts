import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plotOf } from "../../../../bench/scale/plot.ts";
import { measureScale } from "../../../../bench/scale/run.ts";
import type { ScaleResult } from "../../../../bench/scale/scale-result.ts";
import { compareSplit } from "../../../../bench/scale/split.ts";
import { tableOf } from "../../../../bench/scale/table.ts";
import { paintedPicture } from "@colophon/testing/pictures.ts";

const SIZES = [60, 600] as const;
/** The larger size has its postings in two lists and in rows, the smaller one in rows alone. */
const ROUND = 250;
const PICTURES = 12;
/** Every sixth picture asks, and every other of those is registered. */
const ASKING = 2;
const WIDTH = 480;
const HEIGHT = 360;
/** Both begin with some twenty seconds of filling and starting, longer on a busy machine. */
const PATIENCE_MS = 600_000;

let folder: string;
let results: readonly ScaleResult[];
let options: { data: string; seed: number; round: number; rounds: number; workspace: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "colophon-scale-test-"));
  // A server that root starts runs as another user, and must reach the other one's socket below.
  await chmod(folder, 0o711);
  const originals = Array.from({ length: PICTURES }, (_, n) => ({ file: `${n}.jpg` }));
  await mkdir(join(folder, "data"));
  for (const [n, { file }] of originals.entries()) {
    const picture = await paintedPicture(900 + n, WIDTH, HEIGHT);
    await writeFile(join(folder, "data", file), picture);
  }
  await writeFile(join(folder, "data/manifest.json"), JSON.stringify({ originals }));
  options = {
    data: join(folder, "data"),
    seed: 1,
    round: ROUND,
    rounds: 1,
    workspace: join(folder, "workspace"),
  };
  results = await measureScale({ ...options, sizes: SIZES });
}, PATIENCE_MS);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the benchmark of scale, on a small scale", () => {
  it("fills databases that the service reads as its own: nothing unknown matches, and what is registered on top is found", () => {
    expect(results.map(({ originals }) => originals)).toEqual(SIZES);
    for (const { negative, positive } of results) {
      expect(negative.matched).toBe(0);
      expect(positive).toMatchObject({ asked: ASKING / 2, found: ASKING / 2 });
    }
  });

  it("touches postings in proportion to the originals", () => {
    const [few, many] = results.map(({ touched }) => touched.mean);
    expect(many).toBeGreaterThan(5 * (few ?? 0));
    expect(many).toBeLessThan(20 * (few ?? 0));
  });

  it("prints every figure for every size", () => {
    const lines = tableOf(results).trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(20);
    for (const line of lines) expect(line.split("|")).toHaveLength(SIZES.length + 3);
    expect(tableOf(results)).not.toContain("NaN");
    expect(plotOf(results)).not.toContain("NaN");
  });

  it("retrieves the same from an index that is split over two servers, each of which counts its own postings", {
    timeout: PATIENCE_MS,
  }, async () => {
    const { queries, same, plan, withdrawn } = await compareSplit({ ...options, originals: SIZES[1] });
    expect(queries).toBe(ASKING);
    expect(same).toBe(queries);
    expect(plan.filter((line) => line.includes("Remote SQL")).join("\n")).toMatch(
      /SELECT image_no, string_agg\(int4send\(word\), .* FROM colophon_\w+\.own_posting WHERE .* GROUP BY 1 HAVING/,
    );
    expect(withdrawn[0]).toBeGreaterThan(0);
    expect(withdrawn[1]).toBe(0);
  });
});
