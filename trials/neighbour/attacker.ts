import { fork } from "node:child_process";
import { once } from "node:events";
import { constants, getPriority, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { seededRandom } from "@colophon/testing/pictures.ts";
import { BEHAVIOURS, type BehaviourName } from "./behaviours.ts";

/** What the attacking process is told. */
export interface AttackOrder {
  readonly baseUrl: string;
  readonly token: string;
  readonly seed: number;
  readonly behaviours: readonly BehaviourName[];
  /** How much nicer the process is than the one that starts it. */
  readonly lower: number;
  /** Pictures that the account has registered, base64. */
  readonly registered: readonly string[];
}

/** What each behaviour was answered, by status. */
export type AttackReport = Readonly<Record<string, Readonly<Record<string, number>>>>;

const GRACE_MS = 10_000;

/** What the attacking process says: every behaviour has begun, or what came of all in the end. */
type Message = "begun" | AttackReport;

/** An account that misbehaves, in a process of its own. */
export class Attacker {
  readonly #child: ReturnType<typeof fork>;

  private constructor(child: ReturnType<typeof fork>) {
    this.#child = child;
  }

  /** Resolves once every behaviour has begun. */
  static async start(order: AttackOrder): Promise<Attacker> {
    const child = fork(fileURLToPath(import.meta.url), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    if (child.pid !== undefined) {
      setPriority(child.pid, Math.min(getPriority() + order.lower, constants.priority.PRIORITY_LOW));
    }
    const begun = once(child, "message");
    child.send(order);
    await begun;
    return new Attacker(child);
  }

  get pid(): number | null {
    return this.#child.pid ?? null;
  }

  /** Ends it and says what it was answered; `null` from one that did not end by itself. */
  async stop(): Promise<AttackReport | null> {
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), GRACE_MS);
    const reported = new Promise<AttackReport | null>((resolve) => {
      this.#child.once("message", (report: Message) => resolve(report === "begun" ? null : report));
      this.#child.once("exit", () => resolve(null));
    });
    const ended = this.#child.exitCode === null ? once(this.#child, "exit") : null;
    this.#child.send("stop");
    const report = await reported;
    await ended;
    clearTimeout(timer);
    return report;
  }
}

async function attack(order: AttackOrder, signal: AbortSignal): Promise<AttackReport> {
  const { baseUrl, token, seed, behaviours } = order;
  const registered = order.registered.map((picture) => new Uint8Array(Buffer.from(picture, "base64")));
  const report: Record<string, Record<string, number>> = {};
  let waitedFor = behaviours.length;
  const started = (): void => {
    waitedFor -= 1;
    if (waitedFor === 0) say("begun");
  };
  const running = behaviours.map((name, at) => {
    const counts: Record<string, number> = {};
    report[name] = counts;
    const count = (what: string): void => {
      counts[what] = (counts[what] ?? 0) + 1;
    };
    const random = seededRandom(seed + at);
    return BEHAVIOURS[name]({ baseUrl, token, registered, random, signal, started, count });
  });
  const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve));
  await Promise.race([Promise.all(running), stopped]);
  return report;
}

function say(message: Message, then: () => void = () => {}): void {
  process.send?.(message, then);
}

if (import.meta.main) {
  const controller = new AbortController();
  process.once("disconnect", () => process.exit());
  process.once("message", (order: AttackOrder) => {
    process.once("message", () => controller.abort());
    void attack(order, controller.signal).then((report) => say(report, () => process.exit()));
  });
}
