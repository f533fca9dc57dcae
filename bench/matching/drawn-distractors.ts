import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { pick } from "@colophon/testing/chance.ts";
import { type Random, seededRandom } from "@colophon/testing/pictures.ts";
import {
  COMPARISON_SIDE,
  loadVocabulary,
  lumaOf,
  makeOriginal,
  openVocabulary,
  type Rgb,
} from "@colophon/engine/lab";
import sharp, { type Sharp } from "sharp";
import { DESIGNS } from "./designs/catalogue.ts";
import { type Photograph, drawPhotograph, readPhotographs } from "./designs/photographs.ts";
import { PACKET_KEY } from "./registered/subjects.ts";

/** Longest sides of what is drawn, and of the photographs in it: pixels. */
const SIDES = [400, 560, 800] as const;
const PHOTOGRAPH_SIDE = 560;
/** Packets of one file. */
const AT_ONCE = 250;

/** One picture of so many is part of a photograph; and how much of its sides, at least and at most. */
const CUT_OF = 4;
const LEAST_CUT = 0.4;
const MOST_CUT = 0.8;

async function pixels(picture: Sharp): Promise<Rgb> {
  const { data, info } = await picture
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

/** A drawn picture, and the photographs that it shows. */
interface Drawn {
  readonly name: string;
  readonly sources: readonly string[];
  readonly rgb: Rgb;
}

/**
 * Draws members of all designs, one after the other, each with a layout of its own, and cuts parts out of photographs.
 */
export class DistractorDrawer {
  readonly #photographs: readonly Photograph[];
  readonly #embedded = new Map<string, Promise<string>>();
  readonly seed: number;

  private constructor(photographs: readonly Photograph[], seed: number) {
    this.#photographs = photographs;
    this.seed = seed;
  }

  /**
   * With the photographs of a folder. Reading queries keeps the process from all but their formats; what is drawn is
   * its own.
   */
  static async open(folder: string, seed: number): Promise<DistractorDrawer> {
    sharp.unblock({ operation: ["VipsForeignLoadSvg", "VipsForeignLoadJpegFile"] });
    return new DistractorDrawer(await readPhotographs([folder]), seed);
  }

  #embed({ file }: Photograph): Promise<string> {
    const kept = this.#embedded.get(file);
    if (kept !== undefined) return kept;
    const made = sharp(file)
      .autoOrient()
      .resize(PHOTOGRAPH_SIDE, PHOTOGRAPH_SIDE, { fit: "inside", withoutEnlargement: true })
      .jpeg({ quality: 90 })
      .toBuffer()
      .then((image) => `data:image/jpeg;base64,${image.toString("base64")}`);
    this.#embedded.set(file, made);
    return made;
  }

  #choose(random: Random, count: number, window: number): Photograph[] {
    const used = new Set<string>();
    return Array.from({ length: count }, () => {
      const photograph = drawPhotograph(random, this.#photographs, window, random() < 0.5, used);
      used.add(photograph.file);
      return photograph;
    });
  }

  /** Part of one photograph, as large as a design is drawn. */
  async #cut(n: number, random: Random): Promise<Drawn> {
    const { file } = pick(random, this.#photographs);
    const { autoOrient: whole } = await sharp(file).metadata();
    const share = LEAST_CUT + (MOST_CUT - LEAST_CUT) * random();
    const width = Math.round(whole.width * share);
    const height = Math.round(whole.height * share);
    const left = Math.floor((whole.width - width) * random());
    const top = Math.floor((whole.height - height) * random());
    const side = pick(random, SIDES);
    const part = sharp(file)
      .autoOrient()
      .extract({ left, top, width, height })
      .resize(side, side, { fit: "inside" });
    return { name: `cut ${n}`, sources: [file], rgb: await pixels(part) };
  }

  /** The nth picture of this seed: of four in a row three are drawn and one is cut. */
  async draw(n: number): Promise<Drawn> {
    const random = seededRandom(Math.imul(this.seed, 0x2c1b3c6d) + n);
    const cuts = Math.floor(n / CUT_OF);
    if (n % CUT_OF === CUT_OF - 1) return this.#cut(n, random);
    const design = DESIGNS[(n - cuts) % DESIGNS.length]!;
    const sheet = design.draw(random);
    const chosen = this.#choose(random, design.photographs, sheet.window ?? 1);
    const photographs = await Promise.all(chosen.map((each) => this.#embed(each)));
    const side = pick(random, SIDES);
    // An SVG of 72 points an inch is drawn in its own size.
    const density = (72 * side) / Math.max(sheet.width, sheet.height);
    const svg = Buffer.from(sheet.member({ random, photographs }));
    return {
      name: `${design.name} ${n}`,
      sources: chosen.map(({ file }) => file),
      rgb: await pixels(sharp(svg, { unlimited: true, density })),
    };
  }
}

/** What registering a drawn picture would file. */
export interface DrawnPacket extends Omit<Drawn, "rgb"> {
  readonly n: number;
  readonly packet: Uint8Array;
  readonly words: Int32Array;
}

/**
 * The packets of the first `count` pictures; made once where there is a cache, so that a run which was ended goes on.
 */
export async function* drawnPackets(
  drawer: DistractorDrawer,
  count: number,
  cache: string | null,
): AsyncGenerator<DrawnPacket> {
  const examiner = { vocabulary: openVocabulary(loadVocabulary()), packetKey: PACKET_KEY };
  for (let first = 0; first < count; first += AT_ONCE) {
    const kept = cache === null ? null : join(cache, `drawn-${drawer.seed}-${first}`);
    if (kept !== null && existsSync(kept)) {
      yield* (deserialize(readFileSync(kept)) as DrawnPacket[]).slice(0, count - first);
      continue;
    }
    const made: DrawnPacket[] = [];
    for (let n = first; n < Math.min(count, first + AT_ONCE); n += 1) {
      const { name, sources, rgb } = await drawer.draw(n);
      const packetId = new Uint8Array(16);
      new DataView(packetId.buffer).setUint32(0, 0x8000_0000 + n);
      made.push({ n, name, sources, ...makeOriginal(lumaOf(rgb, COMPARISON_SIDE), packetId, examiner) });
    }
    if (cache !== null && kept !== null && made.length === AT_ONCE) {
      mkdirSync(cache, { recursive: true });
      writeFileSync(`${kept}.${process.pid}`, serialize(made));
      renameSync(`${kept}.${process.pid}`, kept);
    }
    process.stderr.write(`${first + made.length} drawn\n`);
    yield* made;
  }
}
