/**
 * Strangers register what many pictures carry (logos, codes, captions, bars, frames; each also on an empty ground) and
 * small crops of pictures that are not yet registered. The owners must all the same be able to register their pictures,
 * with every such element in them; look-ups must go on naming the elements, and what derives from a registered picture
 * must go on being refused.
 *
 *     node trials/blocking.ts [--photographs DIR] [--count 12] [--shares 0.03,0.1] [--seed 1] [--parts 2,4,9,20]
 *
 * `--photographs`: a folder of JPEG, PNG or WebP files; without it, painted pictures. Prints a table and ends with 1 if
 * anybody was blocked or any derivative let pass.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import sharp, { type Sharp } from "sharp";
import { ApiClient, createAccount, type Reply, untilAnswered } from "@colophon/testing/api-client.ts";
import { paintedPicture, type Random, seededRandom } from "@colophon/testing/pictures.ts";
import { serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";
import { carrying, collage, cropped, pasted, photograph, screenshot } from "./blocking/compositions.ts";
import { drawElements, type Element, onEmptyGround } from "./blocking/elements.ts";

const MANY = 1_000_000;
const PAINTED = { width: 1_000, height: 680 } as const;
/** Of somebody's picture: so small that registering it must not block the picture. */
const FRONT_RUN = [0.02, 0.05, 0.1] as const;

/** How often pictures were let register, and how often look-ups named what they carry. */
export interface Tally {
  readonly asked: number;
  readonly registered: number;
  readonly named: number;
}

export interface BlockingReport {
  /** By what strangers registered, and its nominal share: all must register. */
  readonly carriers: Readonly<Record<string, Tally>>;
  /** By what was done to a registered picture: none may register. */
  readonly derivatives: Readonly<Record<string, Tally>>;
  readonly breaches: readonly string[];
}

export interface BlockingOptions {
  /** Null: painted. */
  readonly photographs: string | null;
  readonly count: number;
  readonly shares: readonly number[];
  /** Elements by name; null: all. */
  readonly elements: readonly string[] | null;
  /** Numbers of pictures in a collage. */
  readonly parts: readonly number[];
  readonly seed: number;
}

/** Runs the trial against a service of its own. */
export async function runBlocking(options: BlockingOptions): Promise<BlockingReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-blocking-"));
  const adminToken = randomBytes(24).toString("base64url");
  try {
    await using service = await ServiceProcess.start(serviceEnvironment(dataDir, adminToken));
    const account = async (): Promise<ApiClient> => {
      const { token } = await createAccount(service.baseUrl, adminToken, {
        registrations: MANY,
        lookups: MANY,
      });
      return new ApiClient(service.baseUrl, token);
    };
    const run = new BlockingRun(await account(), await account(), seededRandom(options.seed));
    const photographs = await photographsOf(options);
    const elements = (await drawElements(options.seed)).filter(
      ({ name }) => options.elements === null || options.elements.includes(name),
    );
    const carriers = photographs.slice(0, options.count);
    for (const element of elements) await run.carryElement(carriers, element, options.shares);
    for (const [k, element] of elements.entries()) {
      await run.carryGround(carriers.slice(0, 2), await onEmptyGround(element, options.seed + k));
    }
    for (const share of FRONT_RUN) await run.frontRun(carriers, share);
    await run.derive(
      photographs,
      elements.filter(({ seat }) => seat === "across"),
      options.parts,
    );
    return run.report();
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function photographsOf({ photographs, count, seed, parts }: BlockingOptions): Promise<Uint8Array[]> {
  const most = Math.max(count, ...parts);
  if (photographs === null) {
    const { width, height } = PAINTED;
    const painted: Uint8Array[] = [];
    for (let k = 0; k < most; k += 1) {
      painted.push(await paintedPicture(1_000 * seed + k, width, height));
    }
    return painted;
  }
  const files = (await readdir(photographs)).filter((name) => /\.(jpe?g|png|webp)$/i.test(name)).toSorted();
  const random = seededRandom(seed);
  const drawn = files
    .map((name) => ({ name, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .slice(0, most);
  return Promise.all(drawn.map(async ({ name }) => photograph(await readFile(join(photographs, name)))));
}

class BlockingRun {
  readonly #stranger: ApiClient;
  readonly #owner: ApiClient;
  readonly #random: Random;
  readonly #carriers = new Map<string, Tally>();
  readonly #derivatives = new Map<string, Tally>();
  readonly #breaches: string[] = [];

  constructor(stranger: ApiClient, owner: ApiClient, random: Random) {
    this.#stranger = stranger;
    this.#owner = owner;
    this.#random = random;
  }

  /** The element is a stranger's; each photograph carries it at each share. */
  async carryElement(
    photographs: readonly Uint8Array[],
    element: Element,
    shares: readonly number[],
  ): Promise<void> {
    const known = await this.#register(this.#stranger, element.image);
    for (const share of element.seat === "corner" ? shares : [0]) {
      const name = share === 0 ? element.name : `${element.name}, ${100 * share} %`;
      for (const photo of photographs) {
        await this.#carry(name, await carrying(photo, element, share, this.#random), known);
      }
    }
    await this.#stranger.takeDown(known.id);
  }

  /**
   * A stranger has registered a whole empty picture with the element in it; the photographs show both at their places.
   */
  async carryGround(photographs: readonly Uint8Array[], ground: Element): Promise<void> {
    const known = await this.#register(this.#stranger, ground.image);
    for (const photo of photographs) {
      const picture = sharp(photo).resize(ground.width, ground.height, { fit: "cover" });
      const over = await sharp(ground.image).png().toBuffer();
      const both = await picture
        .composite([{ input: over, blend: "multiply" }])
        .jpeg({ quality: 85 })
        .toBuffer();
      await this.#carry(ground.name, both, known);
    }
    await this.#stranger.takeDown(known.id);
  }

  /** A stranger registers the middle of each photograph before its owner registers the whole. */
  async frontRun(photographs: readonly Uint8Array[], share: number): Promise<void> {
    for (const photo of photographs) {
      const known = await this.#register(this.#stranger, await cropped(photo, share));
      await this.#carry(`its own middle, ${100 * share} %`, photo, known);
      await this.#stranger.takeDown(known.id);
    }
  }

  /** What derives from registered photographs, which a stranger tries to register. */
  async derive(
    photographs: readonly Uint8Array[],
    bars: readonly Element[],
    parts: readonly number[],
  ): Promise<void> {
    const [ground, ...others] = photographs;
    if (ground === undefined) return;
    const ids: string[] = [];
    for (const photo of others) ids.push((await this.#register(this.#owner, photo)).originalImageHash);
    for (const [k, photo] of others.entries()) {
      const of = (edit: (picture: Sharp) => Sharp): Promise<Uint8Array> =>
        edit(sharp(photo)).jpeg({ quality: 80 }).toBuffer();
      const made: Readonly<Record<string, Uint8Array>> = {
        "coded again": await of((picture) => picture),
        "crop, 60 %": await cropped(photo, 0.6, this.#random),
        "crop, 30 %": await cropped(photo, 0.3, this.#random),
        mirrored: await of((picture) => picture.flop()),
        turned: await of((picture) => picture.rotate(90)),
        "pasted, 60 %": await pasted(photo, ground, 0.6, this.#random),
        screenshot: await screenshot(photo, bars.slice(0, 2)),
      };
      for (const [name, image] of Object.entries(made)) await this.#refuse(name, image, [ids[k]!]);
    }
    for (const count of parts.filter((each) => each <= others.length)) {
      await this.#refuse(`collage of ${count}`, await collage(others.slice(0, count)), ids.slice(0, count));
    }
  }

  report(): BlockingReport {
    return {
      carriers: Object.fromEntries(this.#carriers),
      derivatives: Object.fromEntries(this.#derivatives),
      breaches: this.#breaches,
    };
  }

  async #register(client: ApiClient, image: Uint8Array): Promise<{ id: string; originalImageHash: string }> {
    const reply = await untilAnswered(() => client.register(image));
    if (reply.status !== 200) throw new Error(`An image does not register: ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  async #carry(
    name: string,
    image: Uint8Array,
    known: { readonly originalImageHash: string },
  ): Promise<void> {
    const isNamed = (await this.#matched(this.#owner, image)).includes(known.originalImageHash);
    const isRegistered = await this.#tries(this.#owner, image);
    if (!isRegistered) this.#breaches.push(`blocked: ${name}`);
    this.#count(this.#carriers, name, isRegistered, isNamed);
  }

  async #refuse(name: string, image: Uint8Array, hashes: readonly string[]): Promise<void> {
    const matched = await this.#matched(this.#stranger, image);
    const named = hashes.filter((hash) => matched.includes(hash));
    const isRegistered = await this.#tries(this.#stranger, image);
    if (isRegistered && named.length > 0) this.#breaches.push(`let pass: ${name}`);
    if (named.length < Math.min(8, hashes.length) && hashes.length > 1) {
      this.#breaches.push(`${name}: ${named.length} named`);
    }
    this.#count(this.#derivatives, name, isRegistered, named.length > 0);
  }

  /** The originals that a look-up of the image names. */
  async #matched(client: ApiClient, image: Uint8Array): Promise<readonly string[]> {
    const { status, body } = await untilAnswered(() => client.lookUp(image));
    if (status !== 200) throw new Error(`A look-up is answered ${status}: ${JSON.stringify(body)}`);
    return body.matchedOriginalImageHashes;
  }

  /** Whether the image registers; it is then taken down again. */
  async #tries(client: ApiClient, image: Uint8Array): Promise<boolean> {
    const reply: Reply<{ id: string }> = await untilAnswered(() => client.register(image));
    if (reply.status === 200) await client.takeDown(reply.body.id);
    return reply.status === 200;
  }

  #count(tallies: Map<string, Tally>, name: string, isRegistered: boolean, isNamed: boolean): void {
    const { asked, registered, named } = tallies.get(name) ?? { asked: 0, registered: 0, named: 0 };
    tallies.set(name, {
      asked: asked + 1,
      registered: registered + Number(isRegistered),
      named: named + Number(isNamed),
    });
  }
}

function table(title: string, tallies: Readonly<Record<string, Tally>>): string {
  const lines = Object.entries(tallies).map(
    ([name, { asked, registered, named }]) => `| ${name} | ${asked} | ${registered} | ${named} |`,
  );
  return [`| ${title} | asked | registered | named |`, "|---|---|---|---|", ...lines, ""].join("\n");
}

if (import.meta.main) {
  const { values } = readCommandLine({
    options: {
      photographs: { type: "string" },
      count: { type: "string", default: "12" },
      shares: { type: "string", default: "0.03,0.1" },
      parts: { type: "string", default: "2,4,9,20" },
      elements: { type: "string" },
      seed: { type: "string", default: "1" },
    },
  });
  const report = await runBlocking({
    photographs: values.photographs ?? null,
    count: Number(values.count),
    shares: values.shares.split(",").map(Number),
    parts: values.parts.split(",").map(Number),
    elements: values.elements?.split(",") ?? null,
    seed: Number(values.seed),
  });
  process.stdout.write(
    `${table("picture with", report.carriers)}\n${table("registered picture", report.derivatives)}\n`,
  );
  for (const breach of report.breaches) process.stdout.write(`${breach}\n`);
  process.exitCode = report.breaches.length === 0 ? 0 : 1;
}
