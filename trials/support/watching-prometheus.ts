import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const PACKAGING = fileURLToPath(new URL("../../packaging/prometheus/", import.meta.url));
const LISTENS = "127.0.0.1:19090";
const PATIENCE_MS = 180_000;

interface ApiAnswer {
  readonly data: {
    readonly alerts?: readonly { readonly state: string; readonly labels: { readonly alertname: string } }[];
    readonly result?: readonly { readonly value: readonly [number, string] }[];
  };
}

/**
 * The machine's Prometheus with the configuration and the rules of `packaging/prometheus`, each second instead of every
 * fifteen.
 */
export class WatchingPrometheus implements AsyncDisposable {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /**
   * @param folder a new one, for its files
   * @param metrics `host:port` of the service's
   */
  static async start(folder: string, metrics: string): Promise<WatchingPrometheus> {
    await cp(PACKAGING, folder, { recursive: true });
    const file = join(folder, "prometheus.yml");
    const config = await readFile(file, "utf8");
    await writeFile(file, config.replaceAll("127.0.0.1:9464", metrics).replaceAll("15s", "1s"));
    const options = [`--storage.tsdb.path=${folder}/data`, `--web.listen-address=${LISTENS}`];
    return new WatchingPrometheus(
      spawn("prometheus", [`--config.file=${file}`, ...options], { stdio: "ignore" }),
    );
  }

  /** The first value that an expression has now. */
  async query(expression: string): Promise<string | undefined> {
    return (await ask(`query?query=${encodeURIComponent(expression)}`))?.data?.result?.[0]?.value[1];
  }

  async isFiring(alert: string): Promise<boolean> {
    const alerts = (await ask("alerts"))?.data?.alerts ?? [];
    return alerts.some(({ state, labels }) => state === "firing" && labels.alertname === alert);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.kill();
    await ended;
  }
}

async function ask(path: string): Promise<ApiAnswer | null> {
  const answer = await fetch(`http://${LISTENS}/api/v1/${path}`).catch(() => null);
  return answer === null ? null : ((await answer.json()) as ApiAnswer);
}

/** @throws Error when it does not come to be in three minutes */
export async function untilItIs(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await sleep(500)) {
    if (await holds()) return;
  }
  throw new Error(`It never came to be that ${what}.`);
}
