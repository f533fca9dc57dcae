import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { MessageReader } from "./message-reader.ts";
import { type DecoderMessage, type DecoderSetting, LENGTH_BYTES } from "./messages.ts";

/**
 * How a process ended: it failed at what it did, or was ended by a signal, of somebody's or of ours because it hung.
 */
export type End = "failed" | "ended";

/** What a process said, or that it is gone. */
export interface Answer {
  readonly message: DecoderMessage | null;
  /** What follows the message; empty for most. */
  readonly raster: Uint8Array;
  readonly end: End | null;
}

/**
 * Has the C library overwrite what it frees, small pieces included, which it otherwise sets aside as they are
 * (`tcache`). Memory is kept for the next picture as far as most take it, for the system is slow to give it; more goes
 * back at once, and comes in large pages (glibc; others do not know these).
 */
const TUNABLES = [
  "glibc.malloc.perturb=165",
  "glibc.malloc.tcache_count=0",
  "glibc.malloc.arena_max=2",
  "glibc.malloc.mmap_threshold=8388608",
  "glibc.malloc.trim_threshold=8388608",
  "glibc.malloc.hugetlb=1",
].join(":");
const START_SECONDS = 90;
/** Signals that the kernel sends for what a process did itself. */
const FAULTS: ReadonlySet<string | null> = new Set([
  "SIGSEGV",
  "SIGBUS",
  "SIGABRT",
  "SIGILL",
  "SIGFPE",
  "SIGTRAP",
]);

/** One process that decodes, from its start to its end. */
export class DecoderLife {
  readonly #child: ChildProcess;
  /** Resolves once the process and its pipes are gone. */
  readonly gone: Promise<void>;
  #answered: ((answer: Answer) => void) | null = null;
  /** Whether it sent what is no message. */
  #garbled = false;
  #end: End | null = null;

  /** @param entry the module that the process runs */
  constructor(entry: URL, setting: DecoderSetting) {
    const child = spawn(process.execPath, [fileURLToPath(entry), JSON.stringify(setting)], {
      // Nothing else of the service's environment, which may hold its keys.
      env: { GLIBC_TUNABLES: TUNABLES, NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] },
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#child = child;
    const reader = new MessageReader((message, raster) => this.#settle({ message, raster, end: null }));
    child.stdout.on("data", (chunk: Buffer) => {
      try {
        reader.take(chunk);
      } catch {
        this.#garbled = true;
        this.kill();
      }
    });
    // A pipe that breaks is a process that ends.
    for (const stream of [child.stdin, child.stdout]) stream.on("error", () => {});
    this.gone = new Promise((resolve) => {
      const ended = (code: number | null, signal: string | null): void => {
        reader.discard();
        const failed = this.#garbled || code !== null || FAULTS.has(signal);
        this.#end = failed ? "failed" : "ended";
        this.#settle(endOf(this.#end));
        resolve();
      };
      child.on("close", ended);
      child.on("error", () => {
        if (child.pid === undefined) ended(1, null);
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Waits until the process serves. @throws {Error} when it does not, or may keep pictures in libvips' cache */
  async ready(): Promise<void> {
    const { message } = await this.#await(START_SECONDS);
    if (message?.kind !== "ready") throw new Error("A decoder process did not start.");
    if (message.cacheLimits.length === 0 || message.cacheLimits.some((limit) => limit !== 0)) {
      this.kill();
      throw new Error("A decoder process was refused: the cache of libvips is on in it.");
    }
  }

  /** Sends an image. @param parts its bytes, only read, and not after the answer */
  send(parts: readonly Uint8Array[], seconds: number): Promise<Answer> {
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(parts.reduce((sum, part) => sum + part.length, 0));
    return this.#ask([length, ...parts], seconds);
  }

  command(command: number, seconds: number): Promise<Answer> {
    return this.#ask([Uint8Array.of(command)], seconds);
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  #ask(parts: readonly Uint8Array[], seconds: number): Promise<Answer> {
    if (this.#end !== null) return Promise.resolve(endOf(this.#end));
    const answer = this.#await(seconds);
    for (const part of parts) this.#child.stdin?.write(part);
    return answer;
  }

  /** The next answer. One that takes too long is the end of the process; it is gone when that is said. */
  #await(seconds: number): Promise<Answer> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.kill(), 1000 * seconds);
      this.#answered = (answer) => {
        clearTimeout(timer);
        resolve(answer);
      };
    });
  }

  #settle(answer: Answer): void {
    const answered = this.#answered;
    this.#answered = null;
    answered?.(answer);
  }
}

function endOf(end: End): Answer {
  return { message: null, raster: new Uint8Array(0), end };
}
