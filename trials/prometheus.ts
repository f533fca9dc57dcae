/**
 * Debian's Prometheus watches a service with the rules of `packaging/prometheus`, while a load balancer asks `/ready`:
 * promtool judges rules, configuration and exposition; the database is stopped until the alert fires, and started until
 * it is gone.
 *
 *     node trials/prometheus.ts        needs prometheus and promtool (Debian: apt-get install prometheus)
 */
import { execFileSync } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setInterval } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { OwnPostgres } from "./support/own-postgres.ts";
import { TrialService } from "./support/trial-service.ts";
import { untilItIs, WatchingPrometheus } from "./support/watching-prometheus.ts";

const PACKAGING = fileURLToPath(new URL("../packaging/prometheus/", import.meta.url));
const METRICS = "127.0.0.1:19464";
const ALERT = "ColophonNotReady";
const READY = 'colophon_http_requests_total{route="/ready",status="200"}';

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

const prometheus = held.use(await WatchingPrometheus.start(join(home, "watching"), METRICS));
const probing = new AbortController();
held.defer(() => probing.abort());
probe(probing.signal).catch(() => {});

await untilItIs("the service is scraped", async () => (await prometheus.query('up{job="colophon"}')) === "1");
await untilItIs("its requests are counted", async () => Number(await prometheus.query(READY)) > 2);
if (await prometheus.isFiring(ALERT)) throw new Error(`${ALERT} fires while all is well.`);
server.kill();
const stopped = performance.now();
await untilItIs(`${ALERT} fires`, () => prometheus.isFiring(ALERT));
process.stdout.write(
  `fires ${((performance.now() - stopped) / 1000).toFixed(0)} s after the database stopped\n`,
);
if ((await prometheus.query('up{job="colophon"}')) !== "1") {
  throw new Error("Without its database it gives no metrics.");
}
await server.serve();
const started = performance.now();
await untilItIs(`${ALERT} is gone`, async () => !(await prometheus.isFiring(ALERT)));
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
