/**
 * Pages of one template against each other: how many are found themselves, as they are and edited, and how many are
 * taken for another page. The pages are drawn here; the command needs no data.
 *
 *     node bench/matching/templates.ts [--pages 4] [--seed 1]
 */
import { readCommandLine } from "@colophon/testing/command-line.ts";
import sharp, { type Sharp } from "sharp";
import { matchQuery } from "@colophon/engine/lab";
import { PACKET_KEY, SubjectReader } from "./registered/subjects.ts";
import { templatePages } from "./template-pages.ts";

const CAPTION =
  '<svg xmlns="http://www.w3.org/2000/svg" width="420" height="60"><rect width="420" height="60" fill="#c81428"/><text x="14" y="42" font-family="DejaVu Sans" font-size="34" fill="#fff">seen on @somewhere</text></svg>';

/** An SVG picture as PNG. */
const rendered = (svg: string): Promise<Buffer> => sharp(Buffer.from(svg)).png().toBuffer();

const EDITS: Readonly<Record<string, (page: Sharp, caption: Buffer) => Sharp>> = {
  "as it is": (page) => page.jpeg({ quality: 92 }),
  "JPEG q10": (page) => page.jpeg({ quality: 10 }),
  bordered: (page) =>
    page
      .extend({ top: 120, bottom: 120, left: 120, right: 120, background: "#141414" })
      .jpeg({ quality: 92 }),
  captioned: (page, caption) =>
    page.composite([{ input: caption, left: 150, top: 400 }]).jpeg({ quality: 92 }),
};

/** Queries of one template: asked and matched, of the page itself and of the others. */
interface Counts {
  own: number;
  ownFound: number;
  other: number;
  otherTaken: number;
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: { pages: { type: "string", default: "4" }, seed: { type: "string", default: "1" } },
  });
  const caption = await rendered(CAPTION);
  const pages = await Promise.all(
    templatePages(Number(values.pages), Number(values.seed)).map(async ({ template, svg }) => ({
      template,
      png: await rendered(svg),
    })),
  );
  // Only now: the reader bars the decoder of SVG.
  const reader = new SubjectReader(null);
  const originals = [];
  for (const [id, { template, png }] of pages.entries()) {
    const { original } = await reader.examine(new Uint8Array(png), "registration");
    if (original !== null) originals.push({ id, template, original });
  }
  const counts: Record<string, Counts> = {};
  for (const [id, { template, png }] of pages.entries()) {
    const family = originals.filter((each) => each.template === template);
    for (const [edit, make] of Object.entries(EDITS)) {
      const { query } = await reader.examine(
        new Uint8Array(await make(sharp(png), caption).toBuffer()),
        "lookup",
      );
      for (const candidate of family) {
        const isMatch = matchQuery(query, [candidate], PACKET_KEY).length > 0;
        for (const row of [template, edit]) {
          const count = (counts[row] ??= { own: 0, ownFound: 0, other: 0, otherTaken: 0 });
          if (candidate.id === id) {
            count.own += 1;
            count.ownFound += Number(isMatch);
          } else {
            count.other += 1;
            count.otherTaken += Number(isMatch);
          }
        }
      }
    }
  }
  process.stdout.write("                itself found    taken for another page\n");
  for (const [row, { own, ownFound, other, otherTaken }] of Object.entries(counts)) {
    process.stdout.write(
      `${row.padEnd(15)} ${`${ownFound} of ${own}`.padEnd(15)} ${otherTaken} of ${other}\n`,
    );
  }
}

await main();
