import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { paintedPicture, seededRandom } from "@colophon/testing/pictures.ts";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DESIGNS, DESIGNS_APART } from "../bench/matching/designs/catalogue.ts";
import { differingShare } from "../bench/matching/designs/content-share.ts";
import { drawCutOuts } from "../bench/matching/designs/cut-outs.ts";
import { drawPairs } from "../bench/matching/designs/draw.ts";
import { EDGES } from "../bench/matching/designs/opaque/edges.ts";
import { PLATES } from "../bench/matching/designs/opaque/plates.ts";
import { SCREENED } from "../bench/matching/designs/opaque/screens.ts";
import { type Pair, readPairs } from "../bench/matching/designs/pairs.ts";
import { decided, replayed } from "../bench/matching/designs/replay.ts";
import { drawnPairs, tracePairs } from "../bench/matching/designs/trace.ts";
import { isInPart, isWhatItSays, labelOf, readTraces, swapped } from "../bench/matching/designs/traces.ts";

const ONLY = ["badge-and-banner", "invoice", "street-map"];

let folder: string;
let pairs: readonly Pair[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "colophon-designs-"));
  const photographs = join(folder, "photographs");
  mkdirSync(photographs);
  for (let seed = 1; seed <= 12; seed += 1) {
    writeFileSync(join(photographs, `${seed}.jpg`), await paintedPicture(seed, 480, 360));
  }
  for (const out of ["pairs", "again"]) {
    await drawPairs({
      photographs: [photographs],
      out: join(folder, out),
      draws: 1,
      first: 1,
      seed: 3,
      only: ONLY,
      part: null,
      edit: null,
    });
  }
  pairs = readPairs(join(folder, "pairs"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SIDE = { width: 200, height: 400 } as const;

async function side(file: string): Promise<Buffer> {
  return sharp(join(folder, "photographs", file))
    .resize({ ...SIDE, fit: "cover" })
    .png()
    .toBuffer();
}

/** Pictures side by side on white, two wide. */
async function beside(inputs: readonly Buffer[]): Promise<Buffer> {
  const layers = inputs.map((input, k) => ({ input, left: SIDE.width * k, top: 0 }));
  const create = { width: 2 * SIDE.width, height: SIDE.height, channels: 3, background: "#ffffff" } as const;
  return sharp({ create }).composite(layers).png().toBuffer();
}

describe("pictures that share a design", () => {
  it("come in at least 80 designs of four families", () => {
    expect(DESIGNS.length).toBeGreaterThanOrEqual(80);
    expect(new Set(DESIGNS.map(({ name }) => name)).size).toBe(DESIGNS.length);
    expect(new Set(DESIGNS.map(({ family }) => family)).size).toBe(4);
  });

  it("are the same for one seed, and two for each design", () => {
    expect(readPairs(join(folder, "again"))).toEqual(pairs);
    const files = new Set(pairs.flatMap(({ registered, asked }) => [registered, asked]));
    for (const file of files) {
      expect(
        readFileSync(join(folder, "again", file)).equals(readFileSync(join(folder, "pairs", file))),
      ).toBe(true);
    }
  });

  it("are drawn another way for the report, in kinds that nothing is learned from", async () => {
    const learned = new Set(DESIGNS.map(({ name }) => name));
    expect(DESIGNS_APART.filter(({ name }) => learned.has(name))).toEqual([]);
    const out = join(folder, "apart");
    const only = ["aerial-pins", "pocket-timetable", "award"];
    const photographs = [join(folder, "photographs")];
    await drawPairs({ photographs, out, draws: 1, first: 0, seed: 3, only, part: "apart", edit: null });
    expect(new Set(readPairs(out).map(({ design }) => design))).toEqual(new Set(only));
    for (const name of only) {
      const [one, other] = ["a", "b"].map((member) => readFileSync(join(out, `${name}-0-${member}.img`)));
      expect(one!.equals(other!)).toBe(false);
    }
  });

  it("say something of their own in every member of a form, and draw what is common the same each time", () => {
    for (const { name, draw } of DESIGNS.filter(
      ({ family, photographs }) => family === "printed" && photographs === 0,
    )) {
      const [sheet, again] = [draw(seededRandom(21)), draw(seededRandom(21))];
      const said = (by: number, { member }: typeof sheet): string =>
        member({ random: seededRandom(by), photographs: [] });
      expect([name, said(1, sheet) === said(1, again)]).toEqual([name, true]);
      expect([name, said(1, sheet) === said(2, sheet)]).toEqual([name, false]);
    }
  });

  it("hide a part of a photograph, and let nothing of it through, where they are opaque", async () => {
    for (const design of [PLATES, EDGES, SCREENED].flat()) {
      const { member } = design.draw(seededRandom(11));
      const over = async (level: number): Promise<Buffer> => {
        const ground = { r: level, g: level, b: level };
        const flat = sharp({ create: { width: 40, height: 40, channels: 3, background: ground } });
        const photograph = `data:image/png;base64,${(await flat.png().toBuffer()).toString("base64")}`;
        const svg = Buffer.from(member({ random: seededRandom(12), photographs: [photograph] }));
        return sharp(svg).resize(200).greyscale().raw().toBuffer();
      };
      const [black, white] = [await over(0), await over(255)];
      const differences = black.map((level, at) => Math.abs(white[at]! - level));
      const hidden = differences.filter((each) => each < 8).length / differences.length;
      const shown = differences.filter((each) => each > 247).length / differences.length;
      expect([design.name, hidden > 0.02 && hidden < 0.45, hidden + shown > 0.9]).toEqual([
        design.name,
        true,
        true,
      ]);
    }
  });

  it("lie cut out of their page on a photograph, which derives from that page, and it not from the photograph", async () => {
    const out = join(folder, "cut-outs");
    await drawCutOuts({ photographs: [join(folder, "photographs")], out, draws: 1, seed: 7 });
    const drawn = drawnPairs(out);
    for (const ofOne of Map.groupBy(drawn, ({ asked }) => asked).values()) {
      expect(ofOne.map(({ relation }) => relation).toSorted()).toEqual(["other", "other", "under"]);
    }
    const under = drawn.filter(({ relation }) => relation === "under");
    expect(under.map(swapped).some(isWhatItSays)).toBe(false);
    // Most of what the photograph shows the page does not.
    const asIs = under.filter(({ edit }) => edit === "as it is");
    for (const { registered, asked } of asIs) {
      const share = await differingShare(readFileSync(asked), readFileSync(registered));
      expect(share).toBeGreaterThan(0.5);
    }
  });

  it("say of a page how much of its photograph it shows and how much of it that is, and which way round the two derive", async () => {
    const out = join(folder, "pages");
    const photographs = [join(folder, "photographs")];
    const only = ["poster", "large-photograph-3", "large-photograph-8"];
    await drawPairs({ photographs, out, draws: 4, first: 0, seed: 5, only, part: null, edit: null });
    const drawn = drawnPairs(out);
    expect(drawn.every(({ seen, filled }) => seen > 0.3 && seen <= 1 && filled > 0.05 && filled < 1)).toBe(
      true,
    );
    const counts = Map.groupBy(drawn, labelOf);
    const both = ["shared-photograph, bare", "shared-photograph, bare in part"] as const;
    for (const label of both) expect(counts.get(label)?.length ?? 0).toBeGreaterThan(0);
    expect(counts.get(both[1])!.some(isWhatItSays)).toBe(false);
    // The page derives from the photograph all the same.
    expect(counts.get("shared-photograph, under in part")!.some(isWhatItSays)).toBe(true);
  });

  it.each([
    [0.75, 0.59, true],
    [0.75, 0.6, false],
    [0.9, 0.2, false],
    [1, 0.2, false],
  ])("show a photograph of which they show %f, and which is %f of them, in part: %s", (seen, filled, is) => {
    const page = { ...drawnPairs(join(folder, "pairs"))[0]!, relation: "bare", seen, filled } as const;
    expect(isInPart(page)).toBe(is);
    expect(isInPart(swapped(page))).toBe(is);
    expect(isInPart({ ...page, relation: "itself" })).toBe(false);
  });

  it("share the photograph that a form lies on, and neither is a picture of it", async () => {
    const out = join(folder, "on-photograph");
    const photographs = [join(folder, "photographs")];
    const only = ["sites-in-numbers"];
    await drawPairs({ photographs, out, draws: 1, first: 1, seed: 3, only, part: null, edit: "q75" });
    const drawn = readPairs(out);
    const relations = drawn.map(({ relation }) => relation);
    expect(relations.toSorted()).toEqual(["itself", "itself", "other", "other"]);
    expect(drawn.every(({ shared }) => shared > 0.6 && shared < 1)).toBe(true);
    // Most of either is one photograph: by the policy they derive from one another, and are no pair of different
    // pictures.
    expect(drawnPairs(out).filter(isWhatItSays)).toHaveLength(2);
    const pixels = async (member: string): Promise<Buffer> =>
      sharp(join(out, `sites-in-numbers-1-${member}0.img`))
        .greyscale()
        .resize(200, 200, { fit: "fill" })
        .raw()
        .toBuffer();
    const [one, other] = [await pixels("a"), await pixels("b")];
    const equal = one.filter((level, at) => Math.abs(level - other[at]!) < 12).length / one.length;
    expect(equal).toBeGreaterThan(0.7);
    expect(equal).toBeLessThan(0.99);
  });

  it("are told how much of them a photograph is that they share, whatever lies beside it", async () => {
    const [one, other] = [await side("1.jpg"), await side("2.jpg")];
    const grey = { ...SIDE, channels: 3, background: "#808080" } as const;
    const nothing = await sharp({ create: grey }).png().toBuffer();
    const shares = [
      await differingShare(await beside([one]), await beside([nothing])),
      await differingShare(await beside([one, other]), await beside([nothing, other])),
      await differingShare(await beside([one, other]), await beside([one, other])),
      await differingShare(await beside([]), await beside([])),
    ];
    expect(shares[0]).toBeGreaterThan(0.95);
    expect(shares[1]).toBeGreaterThan(0.4);
    expect(shares[1]).toBeLessThan(0.6);
    expect(shares.slice(2)).toEqual([0, 0]);
    expect(pairs.map(({ shared }) => shared)).toEqual(pairs.map(() => 0));
  });

  it("match themselves and what they show, and no other of their design, under either key", async () => {
    const traces = join(folder, "traces");
    await tracePairs({
      compared: drawnPairs(join(folder, "pairs")),
      out: traces,
      cache: join(folder, "examined"),
      keys: [7, 11],
    });
    const under = ["7", "11"].map((key) => join(traces, key));
    const outcomes = [...readTraces(under)].map(({ compared: { name, relation, edit }, findings }) => ({
      name,
      relation,
      edit,
      isMatch: findings.some((finding) => decided(replayed(finding)).isMatch),
    }));
    expect(outcomes).toHaveLength(2 * pairs.length);
    expect(outcomes.filter(({ isMatch, relation }) => isMatch === (relation === "other"))).toEqual([]);
  });
});
