/**
 * Debian's Prometheus watches a service with the rules of `packaging/prometheus`, while a load balancer asks `/ready`: promtool judges
 * rules, configuration and exposition; the database is stopped until the alert fires, and started until it is gone.
 *
 *     node trials/prometheus.ts        needs prometheus and promtool (Debian: apt-get install prometheus)
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setInterval, setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { OwnPostgres } from "./support/own-postgres.ts";
import { TrialService } from "./support/trial-service.ts";

const PACKAGING = fileURLToPath(new URL("../packaging/prometheus/", import.meta.url));
const METRICS = "127.0.0.1:19464";
const PROMETHEUS = "127.0.0.1:19090";
const ALERT = "ColophonNotReady";
const READY = 'colophon_http_requests_total{route="/ready",status="200"}';
const PATIENCE_MS = 180_000;

interface ApiAnswer {
  readonly data: {
    readonly alerts?: readonly { readonly state: string; readonly labels: { readonly alertname: string } }[];
    readonly result?: readonly { readonly value: readonly [number, string] }[];
  };
}

readCommandLine({});
await using held = new AsyncDisposableStack();
const home = await mkdtemp(join(tmpdir(), "colophon-prometheus-"));
held.defer(() => rm(home, { recursive: true, force: true }));
await cp(PACKAGING, home, { recursive: true });
promtool("check", "rules", "colophon.rules.yml");
promtool("check", "config", "prometheus.yml");
promtool("test", "rules", "colophon.test.yml");

const server = held.use(await OwnPostgres.start());
const service = held.use(
  await TrialService.start({ COLOPHON_DATABASE_URL: server.url, COLOPHON_METRICS: METRICS }),
);
const exposition = await (await fetch(`http://${METRICS}/metrics`)).text();
execFileSync("promtool", ["check", "metrics"], { input: exposition, stdio: ["pipe", "inherit", "inherit"] });

const config = await readFile(join(home, "prometheus.yml"), "utf8");
await writeFile(
  join(home, "prometheus.yml"),
  config.replaceAll("127.0.0.1:9464", METRICS).replaceAll("15s", "1s"),
);
const prometheus = spawn(
  "prometheus",
  [
    `--config.file=${home}/prometheus.yml`,
    `--storage.tsdb.path=${home}/data`,
    `--web.listen-address=${PROMETHEUS}`,
  ],
  { stdio: "ignore" },
);
held.defer(async () => {
  const ended = once(prometheus, "exit");
  prometheus.kill();
  await ended;
});
const probing = new AbortController();
held.defer(() => probing.abort());
probe(probing.signal).catch(() => {});

await until("the service is scraped", async () => (await query('up{job="colophon"}')) === "1");
await until("its requests are counted", async () => Number(await query(READY)) > 2);
if (await isFiring()) throw new Error(`${ALERT} fires while all is well.`);
server.kill();
const stopped = performance.now();
await until(`${ALERT} fires`, () => isFiring());
process.stdout.write(
  `fires ${((performance.now() - stopped) / 1000).toFixed(0)} s after the database stopped\n`,
);
if ((await query('up{job="colophon"}')) !== "1") throw new Error("Without its database it gives no metrics.");
await server.serve();
const started = performance.now();
await until(`${ALERT} is gone`, async () => !(await isFiring()));
process.stdout.write(`gone ${((performance.now() - started) / 1000).toFixed(0)} s after it was back\n`);

function promtool(...args: readonly string[]): void {
  execFileSync("promtool", args, { cwd: home, stdio: "inherit" });
}

/** What a load balancer does. */
async function probe(signal: AbortSignal): Promise<void> {
  for await (const _ of setInterval(1_000, undefined, { signal })) {
    await fetch(`${service.baseUrl}/ready`).catch(() => undefined);
  }
}

async function ask(path: string): Promise<ApiAnswer | null> {
  const answer = await fetch(`http://${PROMETHEUS}/api/v1/${path}`).catch(() => null);
  return answer === null ? null : ((await answer.json()) as ApiAnswer);
}

async function query(expression: string): Promise<string | undefined> {
  return (await ask(`query?query=${encodeURIComponent(expression)}`))?.data?.result?.[0]?.value[1];
}

async function isFiring(): Promise<boolean> {
  const alerts = (await ask("alerts"))?.data?.alerts ?? [];
  return alerts.some(({ state, labels }) => state === "firing" && labels.alertname === ALERT);
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await sleep(500)) {
    if (await holds()) return;
  }
  throw new Error(`It never came to be that ${what}.`);
}
