/**
 * One account does its worst, all at once, while another account looks one picture up at a time: how long that takes
 * beside it, against alone. Attack and rest take turns, so that what else the machine does falls on both. A look-up
 * that is told to come back later counts until it is answered. A first attack, beside which nothing is timed, may leave
 * more memory behind than the others: a busy service keeps its connections.
 *
 *     node trials/neighbour.ts [--only NAME,...] [--each] [--lookups 30] [--turns 3] [--seed 1] [--most 3] [--lower 5]
 *                              [--ramp 20] [--rest 0]
 *
 * `--only` picks behaviours (see trials/neighbour/behaviours.ts); `--each` runs them one after the other, too.
 * `--lookups`: beside each attack and as many at rest, over all turns. `--lower`: how much nicer the attacking process
 * is, which shares the machine: 0 as a stranger's would be, 19 to see what is left without the processor time that the
 * attack itself takes. `--ramp`: seconds that an attack goes on before look-ups beside it count; bodies of many
 * megabytes take that long to arrive in their turn. `--rest`: seconds between two look-ups; who rests for more than
 * three is not at work meanwhile, and nothing is kept free for him.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { ApiClient } from "@colophon/testing/api-client.ts";
import { derivedPicture } from "@colophon/testing/derived-picture.ts";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { ServiceWatch, type WatchedMemory } from "@colophon/testing/service-watch.ts";
import { Attacker, type AttackOrder, type AttackReport } from "./neighbour/attacker.ts";
import { type BehaviourName, behaviourNamed, behaviourNames } from "./neighbour/behaviours.ts";
import { ProcessorShare, type ProcessorShares } from "./neighbour/processor-share.ts";
import { TrialService } from "./support/trial-service.ts";

const [WIDTH, HEIGHT] = [960, 640];
/** Pictures of the misbehaving account. */
const PICTURES = 16;
/** From the first request of an attack until it is in full swing: large bodies are read slowly beside others. */
const RAMP_MS = 20_000;
/** A look-up that takes longer is not answered; on a slow machine, so many times as long as alone. */
const PATIENCE_MS = 120_000;
const PATIENCE_TIMES = 20;
/** No look-up beside an attack is waited for past this, for all of them together. */
const BUDGET_MS = 240_000;
const SETTLE_MS = 120_000;
/**
 * Some of what the attack costs its own machine should not count against the service; much nicer, and it starves on a
 * busy machine.
 */
const LOWER = 5;
/** How much more memory all processes may hold once a first attack is over than a service that was never busy. */
const BUSY_MIB = 256;
/** How much more they may hold once further attacks are over than after the first. */
const SLACK_MIB = 150;

/** How long look-ups took, one at a time, in ms. */
export interface Latency {
  readonly lookups: number;
  readonly medianMs: number;
  readonly p90Ms: number;
  /** Answers that asked to come back later. */
  readonly putOff: number;
  /** Other refusals, and look-ups without an answer in time. */
  readonly failed: number;
}

/** Look-ups beside one attack, over all its turns, against those between them. */
export interface Comparison {
  readonly behaviours: readonly BehaviourName[];
  readonly alone: Latency;
  readonly beside: Latency;
  readonly medianRatio: number;
  readonly p90Ratio: number;
  /** In each turn. */
  readonly answersToAttack: readonly (AttackReport | null)[];
  readonly memoryMiB: WatchedMemory;
  /** What took the processors while look-ups were timed, in per cent of one. */
  readonly processorPerCent: { readonly alone: ProcessorShares; readonly beside: ProcessorShares };
}

/** What a run saw; `breaches` must be empty. */
export interface NeighbourReport {
  readonly seed: number;
  readonly comparisons: readonly Comparison[];
  readonly breaches: readonly string[];
}

export interface NeighbourOptions {
  readonly groups: readonly (readonly BehaviourName[])[];
  readonly lookups: number;
  /** Times that the attack is begun and ended. */
  readonly turns?: number;
  readonly seed: number;
  /** The largest ratio of medians that will do. */
  readonly most: number;
  /** Pictures that the misbehaving account registers; collages show them all. */
  readonly pictures?: number;
  /** How long an attack goes on before look-ups beside it count. */
  readonly rampMs?: number;
  /** How much nicer than this process the attacking one is. */
  readonly lower?: number;
  /** Between two look-ups. */
  readonly restMs?: number;
}

/** Runs every group of behaviours, each on a service of its own. */
export async function runNeighbour(options: NeighbourOptions): Promise<NeighbourReport> {
  const comparisons: Comparison[] = [];
  const breaches: string[] = [];
  for (const behaviours of options.groups) {
    const found = await compare(behaviours, options);
    comparisons.push(found.comparison);
    const { beside, medianRatio } = found.comparison;
    const what = behaviours.join(", ");
    if (medianRatio > options.most) {
      breaches.push(`broken: look-ups beside ${what} take ${medianRatio} times as long`);
    }
    if (beside.failed > 0) breaches.push(`broken: ${beside.failed} look-ups beside ${what} are not answered`);
    breaches.push(...found.breaches.map((breach) => `${breach} (${what})`));
  }
  return { seed: options.seed, comparisons, breaches };
}

async function compare(
  behaviours: readonly BehaviourName[],
  options: NeighbourOptions,
): Promise<{ comparison: Comparison; breaches: readonly string[] }> {
  const { lookups, turns = 1, seed, pictures = PICTURES, rampMs = RAMP_MS } = options;
  const { restMs = 0 } = options;
  await using service = await TrialService.start();
  const { baseUrl } = service;
  const [worst, quiet] = [await service.account(), await service.account()];
  const registered = await register(new ApiClient(baseUrl, worst.token), pictures, seed * 1_000);
  const [own] = await register(new ApiClient(baseUrl, quiet.token), 1, seed * 1_000 + 500);
  const query = await derivedPicture(own ?? new Uint8Array());
  const client = new ApiClient(baseUrl, quiet.token);
  await measure(client, query, { count: 5, restMs: 0 });
  const order = {
    baseUrl,
    token: worst.token,
    seed,
    behaviours,
    lower: options.lower ?? LOWER,
    registered: registered.map((picture) => Buffer.from(picture).toString("base64")),
  };
  // A service that was once busy keeps its connections and their memory: what counts is what further attacks add.
  const busied = await busy(service, order, rampMs);
  using watch = new ServiceWatch(service.process, service.dataDir);
  const [rest, attacked]: [TimedLookup[], TimedLookup[]] = [[], []];
  const [restShare, attackedShare] = [new ProcessorShare(service), new ProcessorShare(service)];
  const each = Math.ceil(lookups / turns);
  const answersToAttack: (AttackReport | null)[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    rest.push(...(await restShare.during(null, () => measure(client, query, { count: each, restMs }))));
    const patience = Math.max(PATIENCE_MS, PATIENCE_TIMES * summarise(rest).medianMs);
    const attacker = await Attacker.start(order);
    await sleep(rampMs);
    attacked.push(
      ...(await attackedShare.during(attacker.pid, () =>
        measure(client, query, { count: each, restMs, patience }),
      )),
    );
    answersToAttack.push(await attacker.stop());
  }
  const settled = await watch.settled(SLACK_MIB, SETTLE_MS);
  rest.push(...(await measure(client, query, { count: each, restMs })));
  const alone = summarise(rest);
  const slow = summarise(attacked);
  const comparison = {
    behaviours,
    alone,
    beside: slow,
    medianRatio: ratio(slow.medianMs, alone.medianMs),
    p90Ratio: ratio(slow.p90Ms, alone.p90Ms),
    answersToAttack,
    memoryMiB: settled.memory,
    processorPerCent: { alone: restShare.perCent, beside: attackedShare.perCent },
  };
  return { comparison, breaches: [...busied, ...settled.breaches] };
}

/** Attacks a service for the first time. @returns what is wrong once that is over */
async function busy(service: TrialService, order: AttackOrder, rampMs: number): Promise<readonly string[]> {
  using watch = new ServiceWatch(service.process, service.dataDir);
  const attacker = await Attacker.start(order);
  await sleep(rampMs);
  await attacker.stop();
  return (await watch.settled(BUSY_MIB, SETTLE_MS)).breaches;
}

async function register(client: ApiClient, count: number, seed: number): Promise<Uint8Array[]> {
  const pictures: Uint8Array[] = [];
  for (let at = 0; at < count; at += 1) {
    const picture = await paintedPicture(seed + at, WIDTH, HEIGHT);
    const { status } = await client.register(picture);
    if (status !== 200) throw new Error(`A picture did not register (${status}).`);
    pictures.push(picture);
  }
  return pictures;
}

interface TimedLookup {
  readonly milliseconds: number;
  readonly putOff: number;
  readonly answered: boolean;
}

interface Measuring {
  readonly count: number;
  readonly restMs: number;
  readonly patience?: number;
}

/** Looks a picture up `count` times, or fewer when these take too long together. */
async function measure(
  client: ApiClient,
  query: Uint8Array,
  { count, restMs, patience = PATIENCE_MS }: Measuring,
): Promise<TimedLookup[]> {
  const timed: TimedLookup[] = [];
  const end = performance.now() + BUDGET_MS;
  while (timed.length < count && performance.now() < end) {
    await sleep(restMs);
    timed.push(await lookUpOnce(client, query, patience));
  }
  return timed;
}

async function lookUpOnce(client: ApiClient, query: Uint8Array, patience: number): Promise<TimedLookup> {
  const began = performance.now();
  const elapsed = (): number => performance.now() - began;
  for (let putOff = 0; ; putOff += 1) {
    const left = patience - elapsed();
    const given = new AbortController();
    const reply = await Promise.race([client.lookUp(query).catch(() => null), sleep(left, null, given)]);
    given.abort();
    if (reply?.status === 200) return { milliseconds: elapsed(), putOff, answered: reply.body.matched };
    if (reply?.status !== 503 || elapsed() > patience) {
      return { milliseconds: Math.max(elapsed(), patience), putOff, answered: false };
    }
    await sleep(1_000 * Number(reply.headers.get("retry-after") ?? 1));
  }
}

function summarise(timed: readonly TimedLookup[]): Latency {
  const times = timed.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
  const at = (share: number): number => Math.round(times[Math.floor(share * (times.length - 1))] ?? 0);
  return {
    lookups: timed.length,
    medianMs: at(0.5),
    p90Ms: at(0.9),
    putOff: timed.reduce((sum, { putOff }) => sum + putOff, 0),
    failed: timed.filter(({ answered }) => !answered).length,
  };
}

function ratio(slow: number, alone: number): number {
  return Math.round((100 * slow) / Math.max(1, alone)) / 100;
}

if (import.meta.main) {
  const { values } = readCommandLine({
    options: {
      only: { type: "string" },
      each: { type: "boolean", default: false },
      lookups: { type: "string", default: "30" },
      turns: { type: "string", default: "3" },
      seed: { type: "string", default: "1" },
      most: { type: "string", default: "3" },
      lower: { type: "string", default: String(LOWER) },
      ramp: { type: "string", default: String(RAMP_MS / 1_000) },
      rest: { type: "string", default: "0" },
    },
  });
  const chosen = values.only === undefined ? behaviourNames : values.only.split(",").map(behaviourNamed);
  const report = await runNeighbour({
    groups: values.each ? [...chosen.map((name) => [name]), chosen] : [chosen],
    lookups: Number(values.lookups),
    turns: Number(values.turns),
    seed: Number(values.seed),
    most: Number(values.most),
    lower: Number(values.lower),
    rampMs: 1_000 * Number(values.ramp),
    restMs: 1_000 * Number(values.rest),
  });
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  process.exitCode = report.breaches.length === 0 ? 0 : 1;
}
