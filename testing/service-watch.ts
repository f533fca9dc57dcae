import { setTimeout as sleep } from "node:timers/promises";
import { memoryShare, processTree } from "./process/process-tree.ts";
import { postmasterPid, type ServiceProcess } from "./service-process.ts";

const SAMPLE_MS = 500;

/** What a watch saw of a service, its child processes and its embedded database, in MiB. */
export interface WatchedMemory {
  readonly before: number;
  readonly peak: number;
  readonly after: number;
}

/**
 * Watches a service with every process below it and its embedded database (Linux): memory, and whether processes that
 * end are replaced. The database's shared page cache is left out: it fills with use, up to its fixed size.
 */
export class ServiceWatch implements Disposable {
  readonly #service: ServiceProcess;
  readonly #dataDir: string;
  readonly #timer: NodeJS.Timeout;
  readonly #seen = new Set<number>();
  readonly #before: number;
  readonly #kinds: Readonly<Record<string, number>>;
  #peak: number;

  /** Begins with what is there: start it once the service has done each kind of work. */
  constructor(service: ServiceProcess, dataDir: string) {
    this.#service = service;
    this.#dataDir = dataDir;
    this.#kinds = this.#children();
    this.#before = this.memoryMiB();
    this.#peak = this.#before;
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS);
  }

  /** What all processes hold together now. */
  memoryMiB(): number {
    const tree = processTree(this.#service.pid);
    const database = processTree(postmasterPid(this.#dataDir)).map(({ pid }) => pid);
    const own = tree.map(({ pid }) => pid).filter((pid) => !database.includes(pid));
    return memoryShare(own).proportional + memoryShare(database).anonymous;
  }

  /** How many processes below the service have come and gone so far. */
  get ended(): number {
    const now = new Set(this.#below().map(({ pid }) => pid));
    return [...this.#seen].filter((pid) => !now.has(pid)).length;
  }

  /**
   * Waits until memory is within `slack` MiB of what it was and as many processes run as before, or for `patience`.
   *
   * @returns what is wrong in the end, as sentences
   */
  async settled(slack: number, patience: number): Promise<{ memory: WatchedMemory; breaches: string[] }> {
    for (const deadline = Date.now() + patience; ; await sleep(SAMPLE_MS)) {
      const after = this.memoryMiB();
      const breaches: string[] = [];
      if (!this.#service.alive) breaches.push(`broken: the service lives\n${this.#service.output}`);
      if (after > this.#before + slack) {
        breaches.push(
          `broken: memory goes back within ${slack} MiB (${this.#before.toFixed()} -> ${after.toFixed()})`,
        );
      }
      const children = this.#children();
      for (const [kind, count] of Object.entries(this.#kinds)) {
        const now = children[kind] ?? 0;
        if (now < count) {
          breaches.push(`broken: a process that ends is replaced (${kind}: ${count} -> ${now})`);
        }
      }
      if (breaches.length > 0 && Date.now() < deadline && this.#service.alive) continue;
      const round = Math.round;
      return {
        memory: { before: round(this.#before), peak: round(this.#peak), after: round(after) },
        breaches,
      };
    }
  }

  #sample(): void {
    if (!this.#service.alive) return;
    this.#peak = Math.max(this.#peak, this.memoryMiB());
    for (const { pid } of this.#below()) this.#seen.add(pid);
  }

  /** Processes below the service but for the database's, which come and go with connections. */
  #below(): readonly { readonly pid: number; readonly name: string }[] {
    return processTree(this.#service.pid).filter(
      ({ pid, name }) => pid !== this.#service.pid && !name.startsWith("postgres"),
    );
  }

  #children(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { name } of this.#below()) counts[name] = (counts[name] ?? 0) + 1;
    return counts;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
