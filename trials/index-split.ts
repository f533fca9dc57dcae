/**
 * Two service processes on one database, and two more PostgreSQL servers that take the older part of the index. In each
 * round pictures are registered, `colophon index split` is killed until it comes to its end, while callers look
 * registered pictures up in crops; then one of the two servers is killed, a picture is taken down, and the server comes
 * back. No answer may be wrong: a match, 503, or for what was taken down no match.
 *
 *     node trials/index-split.ts [--rounds 3] [--seed 1]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { LookupVerdict } from "@colophon/contract";
import { ApiClient, createAccount, type Reply, untilAnswered } from "@colophon/testing/api-client.ts";
import { pick } from "@colophon/testing/chance.ts";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { derivedPicture } from "@colophon/testing/derived-picture.ts";
import { paintedPicture, seededRandom } from "@colophon/testing/pictures.ts";
import { serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";
import { checkConsistency } from "../packages/server/src/fsck/check-consistency.ts";
import { openDatabase } from "../packages/server/src/store/database.ts";
import { gatherPostings } from "../packages/server/src/store/index/posting-lists.ts";
import { Findings } from "./support/findings.ts";
import { OwnPostgres } from "./support/own-postgres.ts";

const COLOPHON = fileURLToPath(new URL("../packages/cli/bin/colophon.js", import.meta.url));
const ADMIN = "index-split-admin-token";
const [WIDTH, HEIGHT] = [640, 480];
/** Originals whose postings are gathered together; the last of them wait for one more. */
const ROUND = 8;
const CALLERS = 2;
/** After this many kills a split is let come to its end. */
const KILLS = 3;
const LONGEST_BEFORE_KILL_MS = 4_000;
const RECOVERY_MS = 60_000;

/** A registered picture, and a crop of it. */
interface Known {
  readonly registrationId: string;
  readonly hash: string;
  readonly crop: Uint8Array;
}

const { values } = readCommandLine({
  options: { rounds: { type: "string", default: "3" }, seed: { type: "string", default: "1" } },
});
const seed = Number(values.seed);
const random = seededRandom(seed);
const findings = new Findings();
await using held = new AsyncDisposableStack();
const [home, ...others] = await Promise.all(
  Array.from({ length: 3 }, async () => held.use(await OwnPostgres.start())),
);
if (home === undefined) throw new Error("There is no server.");
// Where root starts the servers they run as another user, who reaches the others' sockets.
for (const { dataDir } of others) await chmod(dataDir, 0o711);
const folder = await mkdtemp(join(tmpdir(), "colophon-split-trial-"));
held.defer(() => rm(folder, { recursive: true, force: true }));
const start = (name: string): Promise<ServiceProcess> =>
  ServiceProcess.start({
    ...serviceEnvironment(join(folder, name), ADMIN),
    COLOPHON_DATABASE_URL: home.url,
    COLOPHON_KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  });
const services = [held.use(await start("first")), held.use(await start("second"))];
const { token } = await createAccount(services[0]!.baseUrl, ADMIN, {
  registrations: 1_000_000,
  lookups: 1_000_000,
});
const clients = services.map(({ baseUrl }) => new ApiClient(baseUrl, token));
const database = openDatabase({ connectionString: home.url }, 2, () => {});
held.defer(() => database.destroy());

const known: Known[] = [];
const gone = new Set<Known>();
let painted = seed * 1_000;

for (let round = 1; round <= Number(values.rounds); round += 1) {
  await registerSome(round === 1 ? 2 * ROUND : ROUND);
  while ((await gatherPostings(database, ROUND)) > 0);
  const over = new AbortController();
  const callers = Array.from({ length: CALLERS }, () => callUntil(over.signal));
  await splitAtLast();
  await withServerKilled(pick(random, others));
  over.abort();
  await Promise.all(callers);
  for (const picture of known) judge(picture, await untilAnswered(() => lookUp(picture)));
  process.stderr.write(
    `round ${round}: ${JSON.stringify(findings.counts)}, ${findings.breaches.length} broken\n`,
  );
}
for (const server of others) server.kill();
findings.expect((await colophon(["index", "join"]))[0] === 0, "the index was not joined");
for (const picture of known) judge(picture, await untilAnswered(() => lookUp(picture)));
for (const { rule, what } of await checkConsistency(database, { atRest: false })) {
  findings.breach(`${rule} (${what})`);
}
process.stdout.write(`${JSON.stringify(findings.counts)}\n${findings.breaches.join("\n")}\n`);
process.exitCode = findings.breaches.length === 0 ? 0 : 1;

async function registerSome(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    painted += 1;
    const bytes = await paintedPicture(painted, WIDTH, HEIGHT);
    const { body } = await untilAnswered(() => pick(random, clients).register(bytes));
    known.push({ registrationId: body.id, hash: body.originalImageHash, crop: await derivedPicture(bytes) });
  }
}

function lookUp({ crop }: Known): Promise<Reply<LookupVerdict>> {
  return pick(random, clients).lookUp(crop);
}

/** Looks pictures up until told to stop: every answer is right, or says to come again. */
async function callUntil(over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const picture = pick(random, known);
    const wasGone = gone.has(picture);
    const reply = await lookUp(picture);
    if (reply.status === 503) {
      findings.count("come again");
      await sleep(200);
    } else if (wasGone === gone.has(picture)) judge(picture, reply);
  }
}

function judge(picture: Known, { status, body }: Reply<LookupVerdict>): void {
  findings.count(`look-up ${status}`);
  const isFound = status === 200 && body.matchedOriginalImageHashes.includes(picture.hash);
  findings.expect(
    status === 200 && isFound !== gone.has(picture),
    `a picture that is ${gone.has(picture) ? "gone" : "registered"} was answered ${status}, ${isFound ? "found" : "not found"}`,
  );
}

/** Splits, killed at any moment and run again, until it has come to its end. */
async function splitAtLast(): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const killAfter = attempt < KILLS ? random() * LONGEST_BEFORE_KILL_MS : null;
    const [code, said] = await colophon(["index", "split", ...others.map(({ url }) => url)], killAfter);
    findings.count(code === null ? "split killed" : `split ended ${code}`);
    if (code === 0) return;
    // What was killed after its end finds nothing left to move.
    if (code !== null && said.includes("No postings are in lists")) return;
    if (code !== null) findings.breach(said);
    if (attempt > KILLS) throw new Error("The index is not split.");
  }
}

/** Takes a picture down while a server is dead; afterwards all is removed everywhere. */
async function withServerKilled(server: OwnPostgres): Promise<void> {
  server.kill();
  const picture = pick(
    random,
    known.filter((one) => !gone.has(one)),
  );
  const { status } = await pick(random, clients).takeDown(picture.registrationId);
  gone.add(picture);
  findings.count(`take-down ${status}`);
  findings.expect(status < 300, `a take-down was answered ${status}`);
  await sleep(random() * 2_000);
  await server.serve();
  for (const deadline = performance.now() + RECOVERY_MS; ; await sleep(500)) {
    const [code, said] = await colophon(["index", "status"]);
    if (code === 0 && !said.includes("taken down wait")) return;
    if (performance.now() > deadline) {
      findings.breach(`the index is not whole a minute after its server came back: ${said}`);
      return;
    }
  }
}

/** Runs a command of the operator's. @returns its exit code, null where it was killed, and what it said */
async function colophon(
  args: readonly string[],
  killAfterMs: number | null = null,
): Promise<readonly [number | null, string]> {
  const child = spawn(process.execPath, [COLOPHON, ...args], {
    env: { ...process.env, COLOPHON_DATABASE_URL: home!.url },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (piece: Buffer) => (said += piece.toString()));
  const timer = killAfterMs === null ? null : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  const [code] = (await once(child, "close")) as [number | null];
  if (timer !== null) clearTimeout(timer);
  return [code, said];
}
