/**
 * A day of an operator's, with the command as it is installed: from packed tarballs, on the Node of the machine.
 * Install, accounts, load, the database stops and an alert fires, recovery, backup under load, every key rotated under
 * load, an older build's data directory upgraded, restored elsewhere, and moved from the embedded database to one's
 * own. Every answer is compared with what it was before; prints the seconds of each step, and ends with 1 when anything
 * differs.
 *
 *     npm run packages && node trials/day.ts [--older CHECKOUT] [--seed 1] [--pictures 8]
 *
 * `--older`: a checkout of an older commit with its dependencies installed. With prometheus on the PATH (Debian:
 * apt-get install prometheus) it watches.
 */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setInterval, setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ApiClient } from "@colophon/testing/api-client.ts";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";
import {
  answersOf,
  type Answers,
  differences,
  furnish,
  type FurnishedRegistry,
} from "./support/furnished-registry.ts";
import { InstalledColophon, type InstalledService } from "./support/installed-colophon.ts";
import { OwnPostgres } from "./support/own-postgres.ts";
import { freePort } from "./support/reverse-proxy.ts";
import { SteadyLoad } from "./support/steady-load.ts";
import { untilItIs, WatchingPrometheus } from "./support/watching-prometheus.ts";

const PACKAGES = fileURLToPath(new URL("../dist/packages", import.meta.url));
const ALERT = "ColophonNotReady";
const ADMIN = randomBytes(24).toString("base64url");
const SETTLING_MS = 3_000;

const { values } = readCommandLine({
  options: {
    older: { type: "string" },
    seed: { type: "string", default: "1" },
    pictures: { type: "string", default: "8" },
  },
});
const seed = Number(values.seed);
const pictures = Number(values.pictures);
const breaches: string[] = [];
await using held = new AsyncDisposableStack();
const home = await mkdtemp(join(tmpdir(), "colophon-day-"));
held.defer(() => rm(home, { recursive: true, force: true }));
const passphraseFile = join(home, "passphrase");
await writeFile(passphraseFile, randomBytes(24).toString("base64"));

const colophon = await step("install", () => InstalledColophon.install(PACKAGES, join(home, "installed")));
const own = held.use(await OwnPostgres.start());
const metrics = `127.0.0.1:${await freePort()}`;
const atHome = {
  COLOPHON_DATA_DIR: join(home, "first"),
  COLOPHON_DATABASE_URL: own.url,
  COLOPHON_ADMIN_TOKEN: ADMIN,
  COLOPHON_SWEEP_SECONDS: "0.5",
};
let service = await step("first start", () => colophon.serve({ ...atHome, COLOPHON_METRICS: metrics }));
held.defer(() => service.stop());
const registry = await step("an account, records, a slot and a sequence under way", () =>
  furnish(service.baseUrl, ADMIN, { seed, pictures }),
);
const before = await step("every answer", () => answersOf(service.baseUrl, ADMIN, registry));
compare("asked twice", {}, before);

const load = new SteadyLoad(service.baseUrl, registry.account.token, seed * 1_000_000);
await step("load", () => sleep(SETTLING_MS * 3));
await databaseStops();
const file = join(home, "registry.backup");
await step("backup under load", () =>
  colophon.run(["backup", file, "--passphrase-file", passphraseFile], atHome),
);
for (const key of ["intermediate", "packet-key", "encryption-key"]) {
  await step(`key rotate ${key}, under load`, () => colophon.run(["key", "rotate", key], atHome));
}
await step("restart under the next keys", async () => {
  await service.stop();
  service = await colophon.serve(atHome);
  load.move(service.baseUrl);
});
await sleep(SETTLING_MS);
const { right, turnedAway, wrong } = await load.end();
breaches.push(...wrong);
say(`load: ${right} answered right, ${turnedAway} turned away while the database or the service was gone`);
await verified("after the rotations", service, registry, before, atHome);
for (const hash of load.registered) {
  const { status } = await new ApiClient(service.baseUrl, registry.account.token).record(hash);
  if (status !== 200) breaches.push(`a registration that was answered is lost: ${hash} (${status})`);
}
await service.stop();

const elsewhere = { COLOPHON_DATA_DIR: join(home, "restored"), COLOPHON_ADMIN_TOKEN: ADMIN };
await restored("the backup from under load, in an embedded database", file, elsewhere);
const moved = join(home, "moved.backup");
await step("backup of the stopped embedded one", () =>
  colophon.run(["backup", moved, "--passphrase-file", passphraseFile], elsewhere),
);
const second = await own.emptyDatabase("moved");
await restored(
  "moved to one's own PostgreSQL",
  moved,
  { COLOPHON_DATA_DIR: join(home, "second"), COLOPHON_DATABASE_URL: second, COLOPHON_ADMIN_TOKEN: ADMIN },
  ["--log-goes-on"],
);
if (values.older !== undefined) await upgraded(values.older);
for (const breach of breaches) say(`broken: ${breach}`);
say(breaches.length === 0 ? "Every answer is as it was." : `${breaches.length} breaches`);
process.exitCode = breaches.length === 0 ? 0 : 1;

/** The database is killed under load: the service says so, and is back by itself when the database is. */
async function databaseStops(): Promise<void> {
  const probing = new AbortController();
  const probe = (async () => {
    for await (const _ of setInterval(1_000, undefined, { signal: probing.signal })) await readiness();
  })().catch(() => {});
  const prometheus = hasPrometheus() ? await WatchingPrometheus.start(join(home, "watching"), metrics) : null;
  if (prometheus !== null) {
    await untilItIs(
      "the service is scraped",
      async () => (await prometheus.query('up{job="colophon"}')) === "1",
    );
  }
  own.kill();
  await step("the database stops: /ready says databaseAway", () =>
    untilItIs("/ready says so", async () => (await readiness()).includes("databaseAway")),
  );
  const text = await (await fetch(`http://${metrics}/metrics`)).text();
  if (!/route="\/ready",status="503"\} [1-9]/.test(text)) breaches.push("the metrics do not count it");
  if (prometheus !== null) {
    await step(`${ALERT} fires`, () => untilItIs("it fires", () => prometheus.isFiring(ALERT)));
  }
  await own.serve();
  await step("the database is back: ready again", () =>
    untilItIs("it is ready", async () => (await readiness()).includes('"ready":true')),
  );
  if (prometheus !== null) {
    await step(`${ALERT} is gone`, () =>
      untilItIs("it is gone", async () => !(await prometheus.isFiring(ALERT))),
    );
    await prometheus[Symbol.asyncDispose]();
  } else {
    say("prometheus is not installed: nobody watched");
  }
  probing.abort();
  await probe;
}

async function readiness(): Promise<string> {
  return fetch(`${service.baseUrl}/ready`).then(
    async (response) => (await response.text()).replaceAll(/\s/g, ""),
    () => "",
  );
}

/** Restores a backup, checks it, starts it and asks it everything. */
async function restored(
  what: string,
  backup: string,
  environment: Readonly<Record<string, string>>,
  options: readonly string[] = [],
): Promise<void> {
  await step(`restore: ${what}`, () =>
    colophon.run(["restore", backup, "--passphrase-file", passphraseFile, ...options], environment),
  );
  await using there = await step("its start", () => colophon.serve(environment));
  await verified(what, there, registry, before, environment);
}

/** What an older build has made is started by this one. */
async function upgraded(checkout: string): Promise<void> {
  const dataDir = join(home, "older");
  await mkdir(dataDir);
  const environment = { ...serviceEnvironment(dataDir, ADMIN), COLOPHON_ADMIN_TOKEN: ADMIN };
  const older = await ServiceProcess.start(environment, join(checkout, "packages/server/src/main.ts"));
  const made = await furnish(older.baseUrl, ADMIN, { seed: seed + 1, pictures });
  const said = await answersOf(older.baseUrl, ADMIN, made);
  await older.end("SIGTERM");
  const newer = { COLOPHON_DATA_DIR: dataDir, COLOPHON_ADMIN_TOKEN: ADMIN };
  await using upgrade = await step("upgrade: first start on an older build's data", () =>
    colophon.serve(newer),
  );
  await verified("upgrade", upgrade, made, said, newer);
}

async function verified(
  what: string,
  at: InstalledService,
  asked: FurnishedRegistry,
  said: Answers,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  compare(what, said, await step("every answer again", () => answersOf(at.baseUrl, ADMIN, asked)));
  await step("fsck --packets --signatures", () =>
    colophon.run(["fsck", "--packets", "--signatures"], environment),
  );
}

function compare(what: string, said: Answers, now: Answers): void {
  breaches.push(...differences(said, now).map((difference) => `${what}: ${difference}`));
}

async function step<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  const result = await work();
  say(`${((performance.now() - began) / 1_000).toFixed(1).padStart(7)} s  ${what}`);
  return result;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function hasPrometheus(): boolean {
  try {
    execFileSync("prometheus", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
