/**
 * What one registration and one look-up cost: processor time of the service, its decoders and its database together, as
 * ratios to OpenCV's SIFT of the same picture (640 px, 3,000 points, one thread) and to bare decoding plus SHA-256; and
 * what eight clients get of it. All in one run; another checkout's build is measured beside this one, taking turns
 * picture by picture.
 *
 *     node bench/cost.ts [--data DIR] [--pictures 12] [--rounds 2] [--seed 1] [--clients 8] [--beside TREE]
 *                        [--python /usr/bin/python3]
 *
 * `--data`: a folder with `manifest.json`, whose photographs are taken; without it pictures are painted from the seed.
 * Half of the pictures are registered, the others are unknown. `--clients 1` leaves the clients out. What is measured
 * was called before, and the service sweeps as it does by default. Linux.
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stdout } from "node:process";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import sharp from "sharp";
import { decodeImage, fittedSize, lumaOf, shrinkLuma } from "@colophon/engine/lab";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { ApiClient, createAccount, untilAnswered } from "@colophon/testing/api-client.ts";
import { derivedPicture } from "@colophon/testing/derived-picture.ts";
import { type ProcessorParts, processorParts } from "@colophon/testing/process/processor-time.ts";
import { postmasterPid, serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";
import { readMatchSet } from "./matching/registered/match-set.ts";
import { spread } from "./matching/spread.ts";
import { measureOpenCv } from "./opencv-sift.ts";

const [WIDTH, HEIGHT] = [1_280, 960];
const MANY = 1_000_000;
/** Calls of each kind before any is measured. */
const WARM = 8;
const SIFT = { side: 640, points: 3_000, rounds: 4 } as const;
/** Look-ups for each registration of the clients that ask together. */
const LOOKUPS = 4;
/** Registrations of each round of clients. */
const FRESH = 6;
const DECODE = { acceptedTypes: ["image/jpeg", "image/png", "image/webp"], maxImagePixels: 200_000_000 };

type Kind = "look-up, no match" | "look-up, re-encoded" | "look-up, crop" | "registration";

/** One build of the service, running. */
class Build implements AsyncDisposable {
  readonly name: string;
  readonly client: ApiClient;
  readonly #service: ServiceProcess;
  readonly #dataDir: string;
  readonly #spent = new Map<Kind, ProcessorParts[]>();

  private constructor(name: string, service: ServiceProcess, dataDir: string, client: ApiClient) {
    this.name = name;
    this.#service = service;
    this.#dataDir = dataDir;
    this.client = client;
  }

  static async start(name: string, program?: string): Promise<Build> {
    const dataDir = await mkdtemp(join(tmpdir(), "colophon-cost-"));
    const adminToken = randomBytes(24).toString("base64url");
    const environment = { ...serviceEnvironment(dataDir, adminToken), COLOPHON_SWEEP_SECONDS: "30" };
    const service = await ServiceProcess.start(environment, program);
    const { token } = await createAccount(service.baseUrl, adminToken, {
      registrations: MANY,
      lookups: MANY,
    });
    return new Build(name, service, dataDir, new ApiClient(service.baseUrl, token));
  }

  /** Books the processor time of one call, of which another of the same kind may follow. */
  async measure(kind: Kind, call: (client: ApiClient) => Promise<unknown>): Promise<void> {
    const spent = (): ProcessorParts => processorParts(this.#service.pid, postmasterPid(this.#dataDir));
    const before = spent();
    await call(this.client);
    const after = spent();
    const taken = partsOf((part) => after[part] - before[part]);
    this.#spent.set(kind, [...(this.#spent.get(kind) ?? []), taken]);
  }

  /** Mean processor milliseconds of each kind of call, part by part. */
  means(): [Kind, ProcessorParts][] {
    return [...this.#spent].map(([kind, taken]) => [
      kind,
      partsOf((part) => mean(taken.map((parts) => parts[part]))),
    ]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service[Symbol.asyncDispose]();
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}

const PARTS = ["mainThread", "workers", "runtime", "decoders", "database"] as const;

function partsOf(of: (part: (typeof PARTS)[number]) => number): ProcessorParts {
  const [mainThread, workers, runtime, decoders, database] = PARTS.map(of);
  return {
    mainThread: mainThread!,
    workers: workers!,
    runtime: runtime!,
    decoders: decoders!,
    database: database!,
  };
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function paintedPictures(seed: number, count: number): Promise<Uint8Array[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => paintedPicture(seed + at, WIDTH, HEIGHT)));
}

async function picturesOf(data: string | undefined, count: number, seed: number): Promise<Uint8Array[]> {
  if (data === undefined) return paintedPictures(seed, count);
  const photographs = readMatchSet(data).originals.filter(({ kind }) => kind.startsWith("photo"));
  return spread(photographs, count).map(({ file }) => new Uint8Array(readFileSync(join(data, file))));
}

/** Mean processor milliseconds of OpenCV's SIFT, null without it, and of decoding and hashing alone. */
async function yardsticks(
  pictures: readonly Uint8Array[],
  python: string,
): Promise<{ readonly sift: number | null; readonly bare: number }> {
  const rasters = [];
  const bare = [];
  for (const picture of pictures) {
    const start = process.cpuUsage();
    createHash("sha256").update(picture).digest();
    const raster = await decodeImage(picture, DECODE);
    const { user, system } = process.cpuUsage(start);
    bare.push((user + system) / 1_000);
    const luma = lumaOf(raster, 1_600);
    const { width, height } = fittedSize(luma.width, luma.height, SIFT.side);
    rasters.push(shrinkLuma(luma, Math.min(width, luma.width), Math.min(height, luma.height)));
  }
  const found = measureOpenCv(rasters, { ...SIFT, python });
  return { sift: found && mean(found.map(({ milliseconds }) => milliseconds)), bare: mean(bare) };
}

/** Answers a second that `clients` get together, four look-ups to a registration of a picture that nobody has. */
async function throughput(
  { client }: Build,
  clients: number,
  unknown: readonly Uint8Array[],
  fresh: readonly Uint8Array[],
): Promise<number> {
  let asked = 0;
  const total = (LOOKUPS + 1) * fresh.length;
  const start = performance.now();
  const ask = async (): Promise<void> => {
    while (asked < total) {
      const at = asked;
      asked += 1;
      const registered = at % (LOOKUPS + 1) === 0 ? fresh[at / (LOOKUPS + 1)] : undefined;
      await untilAnswered<unknown>(() =>
        registered === undefined ? client.lookUp(unknown[at % unknown.length]!) : client.register(registered),
      );
    }
  };
  await Promise.all(Array.from({ length: clients }, ask));
  return (1_000 * total) / (performance.now() - start);
}

function ratio(milliseconds: number, to: number | null): string {
  return to === null ? "-" : (milliseconds / to).toFixed(2);
}

async function main(): Promise<void> {
  const { values } = readCommandLine({
    options: {
      data: { type: "string" },
      pictures: { type: "string", default: "12" },
      rounds: { type: "string", default: "2" },
      seed: { type: "string", default: "1" },
      clients: { type: "string", default: "8" },
      beside: { type: "string" },
      python: { type: "string", default: "/usr/bin/python3" },
    },
  });
  const seed = Number(values.seed);
  const pictures = await picturesOf(values.data, Number(values.pictures), seed);
  const known = pictures.filter((_, at) => at % 2 === 0);
  const unknown = pictures.filter((_, at) => at % 2 === 1);
  const { sift, bare } = await yardsticks(pictures, values.python);
  await using running = new AsyncDisposableStack();
  const builds = [running.use(await Build.start("this build"))];
  if (values.beside !== undefined) {
    builds.push(
      running.use(await Build.start("beside it", join(values.beside, "packages/server/src/main.ts"))),
    );
  }
  const inTurn = async (work: (build: Build) => Promise<void>): Promise<void> => {
    for (const build of builds) await work(build);
  };
  // Compiles what is measured, matches included, and does not match anything else.
  const stranger = await paintedPicture(90_000, WIDTH, HEIGHT);
  const saved = new Uint8Array(await sharp(stranger).jpeg({ quality: 60 }).toBuffer());
  const cut = await derivedPicture(stranger);
  const others = await paintedPictures(90_001, WARM);
  await inTurn(async ({ client }) => {
    for (let round = 0; round < WARM; round += 1) await client.lookUp(stranger);
    await client.register(stranger);
    for (const other of others) await client.register(other);
    for (let round = 0; round < WARM; round += 1) {
      await client.lookUp(saved);
      await client.lookUp(cut);
    }
  });
  for (const picture of known) {
    await inTurn((build) => build.measure("registration", (client) => client.register(picture)));
  }
  const reencoded = await Promise.all(
    known.map(async (picture) => new Uint8Array(await sharp(picture).jpeg({ quality: 60 }).toBuffer())),
  );
  const crops = await Promise.all(known.map(derivedPicture));
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const [kind, queries] of [
      ["look-up, no match", unknown],
      ["look-up, re-encoded", reencoded],
      ["look-up, crop", crops],
    ] as const) {
      for (const query of queries) {
        await inTurn((build) => build.measure(kind, (client) => client.lookUp(query)));
      }
    }
  }
  stdout.write(
    `bare decoding and SHA-256 ${bare.toFixed(1)} ms, OpenCV's SIFT ${sift?.toFixed(0) ?? "absent"} ms\n\n`,
  );
  stdout.write(
    "| build | call | processor, ms | SIFT = 1 | bare = 1 | main thread | workers | runtime | decoders | database |\n" +
      "|---|---|---|---|---|---|---|---|---|---|\n",
  );
  for (const build of builds) {
    for (const [kind, parts] of build.means()) {
      const taken = PARTS.reduce((sum, part) => sum + parts[part], 0);
      const each = PARTS.map((part) => parts[part].toFixed(0)).join(" | ");
      stdout.write(
        `| ${build.name} | ${kind} | ${taken.toFixed(0)} | ${ratio(taken, sift)} | ${ratio(taken, bare)} | ${each} |\n`,
      );
    }
  }
  const most = Number(values.clients);
  for (const clients of most > 1 ? [1, most] : []) {
    const fresh = await paintedPictures(seed + 1_000 * clients, FRESH);
    for (const build of builds) {
      const answers = await throughput(build, clients, unknown, fresh);
      stdout.write(`${build.name}, ${clients} client(s): ${answers.toFixed(2)} answers a second\n`);
    }
  }
}

if (import.meta.main) await main();
