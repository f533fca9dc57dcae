/**
 * Holds up one service in every way a connection can, one after the other, and measures what an uninvolved account
 * notices: how long its requests take beside how long they take alone, and how many of them are refused.
 *
 *     node trials/hostile/connections.ts [--requests 20000] [--connections 60] [--seconds 20] [--image-mib 64]
 *                                        [--seed 1] [--only TEXT]
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { ApiClient, createAccount } from "@colophon/testing/api-client.ts";
import { KeepAliveClient, postImage, type PreparedRequest } from "@colophon/testing/keep-alive-client.ts";
import { RawConnection } from "@colophon/testing/raw-connection.ts";
import { serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";
import { imageMaker } from "@colophon/testing/test-pictures.ts";

const MIB = 1_048_576;
const MANY = 1_000_000;
/** How many requests the patient pipeliner has unanswered at most. */
const WINDOW = 100;
/**
 * An uninvolved request that takes longer counts as not answered; on a slow machine, so many times the longest alone.
 */
const PATIENCE_MS = 30_000;
const PATIENCE_TIMES = 20;
/** What the service may take for itself while bodies are read: heaps, buffers of connections, decoders. */
const SLACK_MIB = 256;
/** How many of the largest images the service holds at most. */
const HELD_IMAGES = 8;
/** How long the service waits for a body that does not come, in this run. */
const SILENCE_SECONDS = 2;

/** How long an account's requests took while something went on; `refused` of them were not answered 200. */
export interface Beside {
  readonly requests: number;
  readonly refused: number;
  readonly medianMs: number;
  readonly longestMs: number;
}

/** What one attack did. */
export interface AttackReport {
  readonly attack: string;
  /** What the attacker was answered: statuses, and connections that were cut. */
  readonly answers: Readonly<Record<string, number>>;
  readonly alone: Beside;
  readonly during: Beside;
  readonly grownMiB: number;
}

export interface ConnectionsOptions {
  /** Requests on one connection. */
  readonly requests: number;
  /** Connections of attacks that need many. */
  readonly connections: number;
  /** How long an attack without an end of its own lasts. */
  readonly seconds: number;
  /** Requests that the uninvolved account is timed by when it is alone. */
  readonly alone: number;
  /** The largest image; an unfinished upload sends seven eighths of it before it trickles. */
  readonly imageMiB: number;
  readonly seed: number;
  /** Runs the attacks whose names contain this. */
  readonly only?: string;
}

export interface ConnectionsReport {
  readonly attacks: readonly AttackReport[];
  readonly breaches: readonly string[];
}

interface Stage {
  readonly service: ServiceProcess;
  readonly options: ConnectionsOptions;
  /** Tokens: one without any grant, one with plenty. */
  readonly poor: string;
  readonly rich: string;
}

type Attack = (stage: Stage, answers: Map<string, number>) => Promise<void>;

/** Runs every attack against one service. */
export async function runConnections(options: ConnectionsOptions): Promise<ConnectionsReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-connections-"));
  const adminToken = randomBytes(24).toString("base64url");
  try {
    await using service = await ServiceProcess.start({
      ...serviceEnvironment(dataDir, adminToken),
      COLOPHON_MAX_IMAGE_BYTES: String(options.imageMiB * MIB),
      COLOPHON_BODY_MEMORY_BYTES: String(HELD_IMAGES * options.imageMiB * MIB),
      COLOPHON_BODY_SILENCE_SECONDS: String(SILENCE_SECONDS),
    });
    const token = async (units: number): Promise<string> => {
      const grants = { registrations: units, lookups: units };
      return (await createAccount(service.baseUrl, adminToken, grants)).token;
    };
    const [poor, rich, uninvolved] = [await token(0), await token(MANY), await token(MANY)];
    // Small: what is timed is the wait for its turn.
    const picture = await imageMaker(options.seed)();
    const stats: PreparedRequest = {
      method: "GET",
      path: "/account/stats",
      headers: { authorization: `Bearer ${uninvolved}` },
    };
    const lookUp = postImage("/lookup", uninvolved, picture);
    const stage = { service, options, poor, rich };
    const attacks: AttackReport[] = [];
    for (const [attack, request, run] of [
      ["pipelined requests with an unknown token", stats, flood("clp_unknown")],
      ["pipelined requests of an account without a grant", stats, flood(poor)],
      ["pipelined requests, never more than allowed", stats, window(poor)],
      ["pipelined requests whose answers nobody reads", stats, deaf],
      ["unknown tokens on many connections", stats, crowd("clp_unknown")],
      ["calls of one account on many connections", stats, crowd(rich)],
      ["trickling uploads of an account without a grant", lookUp, trickle(poor)],
      ["trickling uploads of an account with a grant", lookUp, trickle(rich)],
      ["unfinished lists", lookUp, lists],
    ] as const) {
      if (!attack.includes(options.only ?? "")) continue;
      attacks.push(await beside(stage, attack, request, run));
    }
    const breaches = attacks.flatMap((report) => breachesOf(report, options));
    if (!service.alive) breaches.push(`broken: the service lives\n${service.output}`);
    const after = await new ApiClient(service.baseUrl, uninvolved).lookUp(picture);
    if (after.status !== 200) breaches.push(`broken: a look-up is answered afterwards (${after.status})`);
    return { attacks, breaches };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Times an uninvolved account alone, and while an attack goes on. */
async function beside(
  stage: Stage,
  attack: string,
  request: PreparedRequest,
  run: Attack,
): Promise<AttackReport> {
  using client = new KeepAliveClient(stage.service.baseUrl, 1);
  const alone = await timed(client, request, (requests) => requests < stage.options.alone);
  const before = stage.service.memory().resident;
  stage.service.forgetPeak();
  const answers = new Map<string, number>();
  let attacking = true;
  const ended = run(stage, answers).finally(() => (attacking = false));
  await sleep(50);
  const during = await timed(client, request, (requests) => attacking || requests === 0);
  await ended;
  const grownMiB = Math.round(stage.service.memory().peak - before);
  return { attack, answers: Object.fromEntries(answers), alone, during, grownMiB };
}

/** Sends a request again and again, one at a time. */
async function timed(
  client: KeepAliveClient,
  request: PreparedRequest,
  goOn: (requests: number) => boolean,
): Promise<Beside> {
  const times: number[] = [];
  let refused = 0;
  while (goOn(times.length)) {
    const { status, milliseconds } = await client.send(request);
    times.push(milliseconds);
    if (status !== 200) refused += 1;
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number =>
    Math.round((times[Math.floor(share * (times.length - 1))] ?? 0) * 10) / 10;
  return { requests: times.length, refused, medianMs: at(0.5), longestMs: at(1) };
}

function breachesOf(
  { attack, answers, alone, during, grownMiB }: AttackReport,
  { imageMiB }: ConnectionsOptions,
): string[] {
  const breaches: string[] = [];
  const patience = Math.max(PATIENCE_MS, PATIENCE_TIMES * alone.longestMs);
  if (during.longestMs > patience) breaches.push(`broken: ${attack}: others wait ${during.longestMs} ms`);
  if (during.refused > 0) {
    breaches.push(`broken: ${attack}: ${during.refused} of ${during.requests} of others refused`);
  }
  if (grownMiB > HELD_IMAGES * imageMiB + SLACK_MIB) {
    breaches.push(`broken: ${attack}: the service grew by ${grownMiB} MiB`);
  }
  // 400: a list that is longer than its cap may be is refused by its declared length.
  const listed = new Set(["200", "400", "401", "429", "503", "cut"]);
  const odd = Object.keys(answers).filter((answer) => !listed.has(answer));
  if (odd.length > 0) breaches.push(`broken: ${attack}: answered ${odd.join(", ")}`);
  return breaches;
}

function statsRequest(token: string): string {
  return `GET /account/stats HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`;
}

function count(answers: Map<string, number>, what: string, times = 1): void {
  answers.set(what, (answers.get(what) ?? 0) + times);
}

function countAll(answers: Map<string, number>, connection: RawConnection): void {
  for (const status of connection.statuses) count(answers, String(status));
}

/** Every request of one connection at once. */
function flood(token: string): Attack {
  return async ({ service, options }, answers) => {
    using connection = await RawConnection.open(service.baseUrl);
    connection.write(statsRequest(token).repeat(options.requests));
    await connection.answers(options.requests);
    countAll(answers, connection);
    if (connection.statuses.length < options.requests) count(answers, "cut");
  };
}

/** Requests on one connection, never more of them unanswered than the service puts up with. */
function window(token: string): Attack {
  return async ({ service, options }, answers) => {
    using connection = await RawConnection.open(service.baseUrl);
    const until = performance.now() + options.seconds * 1000;
    for (let sent = 0; performance.now() < until && !connection.ended; sent += WINDOW) {
      connection.write(statsRequest(token).repeat(WINDOW));
      await connection.answers(sent + WINDOW);
    }
    countAll(answers, connection);
    if (connection.ended) count(answers, "cut");
  };
}

/** Many connections that ask and ask and never read. */
const deaf: Attack = async ({ service, options, rich }, answers) => {
  const until = performance.now() + options.seconds * 1000;
  const connections = await Promise.all(
    Array.from({ length: options.connections }, () => RawConnection.open(service.baseUrl)),
  );
  for (const connection of connections) connection.socket.pause();
  while (performance.now() < until) {
    for (const connection of connections) {
      if (!connection.socket.writableNeedDrain) connection.write(statsRequest(rich).repeat(WINDOW / 2));
    }
    await sleep(100);
  }
  for (const connection of connections) {
    if (connection.ended) count(answers, "cut");
    connection[Symbol.dispose]();
  }
};

/** Many connections with one request after the other each. */
function crowd(token: string): Attack {
  return async ({ service, options }, answers) => {
    using client = new KeepAliveClient(service.baseUrl, options.connections);
    const until = performance.now() + options.seconds * 1000;
    const headers = { authorization: `Bearer ${token}` };
    const loop = async (): Promise<void> => {
      while (performance.now() < until) {
        const { status } = await client.send({ method: "GET", path: "/account/stats", headers });
        count(answers, String(status));
      }
    };
    await Promise.all(Array.from({ length: options.connections }, loop));
  };
}

/** Nine uploads that send most of an image at once and then a byte now and then. */
function trickle(token: string): Attack {
  return async ({ service, options }, answers) => {
    const until = performance.now() + options.seconds * 1000;
    const head =
      `POST /lookup HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-length: ${2 * options.imageMiB * MIB}\r\n` +
      "content-type: multipart/form-data; boundary=b\r\n\r\n" +
      '--b\r\ncontent-disposition: form-data; name="image"; filename="i"\r\ncontent-type: image/jpeg\r\n\r\n';
    const upload = async (): Promise<void> => {
      while (performance.now() < until) {
        using connection = await RawConnection.open(service.baseUrl);
        connection.write(head);
        await writeMiB(connection, (options.imageMiB * 7) / 8);
        while (performance.now() < until && !connection.ended) {
          connection.write("x");
          await Promise.race([sleep(500), connection.news()]);
          if (connection.statuses.length > 0) break;
        }
        countAll(answers, connection);
        if (connection.ended && connection.statuses.length === 0) count(answers, "cut");
        await sleep(250);
      }
    };
    await Promise.all(Array.from({ length: 9 }, upload));
  };
}

async function writeMiB(connection: RawConnection, mib: number): Promise<void> {
  const chunk = Buffer.alloc(MIB / 4, 0x5a);
  for (let sent = 0; sent < mib * 4 && !connection.ended && connection.statuses.length === 0; sent += 1) {
    connection.write(chunk);
    await connection.room();
  }
}

/** Many lists of hashes that are never finished. */
const lists: Attack = async ({ service, options, poor }, answers) => {
  const until = performance.now() + options.seconds * 1000;
  const head =
    `POST /records HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${poor}\r\n` +
    `content-type: application/json\r\ncontent-length: ${16 * MIB}\r\n\r\n`;
  const list = async (): Promise<void> => {
    using connection = await RawConnection.open(service.baseUrl);
    connection.write(head);
    await writeMiB(connection, 15);
    while (performance.now() < until && !connection.ended && connection.statuses.length === 0) {
      connection.write(" ");
      await Promise.race([sleep(500), connection.news()]);
    }
    countAll(answers, connection);
    if (connection.ended && connection.statuses.length === 0) count(answers, "cut");
  };
  await Promise.all(Array.from({ length: 2 * options.connections }, list));
};

if (import.meta.main) {
  const { values } = readCommandLine({
    options: {
      requests: { type: "string", default: "20000" },
      connections: { type: "string", default: "60" },
      seconds: { type: "string", default: "20" },
      "image-mib": { type: "string", default: "64" },
      seed: { type: "string", default: "1" },
      only: { type: "string", default: "" },
    },
  });
  const report = await runConnections({
    requests: Number(values.requests),
    connections: Number(values.connections),
    seconds: Number(values.seconds),
    alone: 30,
    imageMiB: Number(values["image-mib"]),
    seed: Number(values.seed),
    only: values.only,
  });
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  process.exitCode = report.breaches.length === 0 ? 0 : 1;
}
