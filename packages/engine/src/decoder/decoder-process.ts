/**
 * The entry of a decoder: a process that turns images into what an examination needs of them, one at a time, and has
 * nothing else in it: no key, no database, no address. It ends with the service, whatever it is at, for the pipe it
 * reads from ends.
 */
import { writeFileSync, writeSync } from "node:fs";
import { cacheLimits, restrictDecoders } from "../image/coded/decode.ts";
import { decodeCost } from "../image/coded/decode-cost.ts";
import { ImageDeclined } from "../image/coded/header/declined.ts";
import { readPicture } from "../image/coded/read-picture.ts";
import { erase } from "./erase.ts";
import { ImageMemory } from "./image-memory.ts";
import { DECODE, type DecoderMessage, type DecoderSetting, describe, encodeMessage } from "./messages.ts";
import { readRequests } from "./requests.ts";

const STDIN = 0;
const STDOUT = 1;
const CHECK_MILLISECONDS = 20;
/**
 * How far memory may grow past what the headers announced, bytes: libvips' working rows, and the allocator's rounding.
 */
const MEMORY_MARGIN = 134_217_728;

/** Ends at once: an orderly exit would wait for a decode under way. */
function end(): never {
  process.kill(process.pid, "SIGKILL");
  throw new Error("unreachable");
}

function send(message: DecoderMessage, raster: Uint8Array = new Uint8Array(0)): void {
  for (const part of [encodeMessage(message, raster.length), raster]) {
    for (let at = 0; at < part.length; ) at += writeSync(STDOUT, part, at);
  }
}

/** Works one image after the other, as the service asks. */
class Workbench {
  readonly #setting: DecoderSetting;
  readonly #memory = new ImageMemory();
  #image: Buffer = Buffer.alloc(0);
  #memoryLimit = 0;
  #seconds = 0;

  constructor(setting: DecoderSetting) {
    this.#setting = setting;
  }

  room(length: number): Buffer {
    if (length === 0) end();
    this.#image = this.#memory.take(length);
    return this.#image;
  }

  /** Says what the image costs, or that it is declined. Returns whether the service decides what to do with it. */
  weigh(): boolean {
    try {
      const cost = decodeCost(this.#image, this.#setting);
      this.#memoryLimit = process.memoryUsage.rss() + cost.memoryBytes + MEMORY_MARGIN;
      this.#seconds = cost.seconds;
      send({ kind: "cost", cost });
      return true;
    } catch (error) {
      this.#decline(error);
      return false;
    }
  }

  async carryOut(command: number): Promise<void> {
    if (command === DECODE) return this.#decode();
    this.#memory.release();
    send({ kind: "dropped", residentBytes: process.memoryUsage.rss() });
  }

  async #decode(): Promise<void> {
    const before = process.cpuUsage();
    const watch = setInterval(() => this.#check(before), CHECK_MILLISECONDS);
    try {
      const picture = await readPicture(this.#image, this.#setting);
      this.#memory.release();
      const { data } = picture.luma;
      send({ kind: "decoded", residentBytes: process.memoryUsage.rss(), ...describe(picture) }, data);
      erase(data);
    } catch (error) {
      this.#decline(error);
    } finally {
      clearInterval(watch);
    }
  }

  /**
   * Ends the process when the image takes more than its headers announced; the time is the processor's, not the
   * clock's.
   */
  #check(before: NodeJS.CpuUsage): void {
    const { user, system } = process.cpuUsage(before);
    const exceeded =
      process.memoryUsage.rss() > this.#memoryLimit
        ? "memory"
        : (user + system) / 1e6 > this.#seconds
          ? "time"
          : null;
    if (exceeded === null) return;
    send({ kind: "exhausted", exceeded });
    end();
  }

  /** @throws the error itself unless it is about the image: the process then ends, and its memory with it */
  #decline(error: unknown): void {
    if (!(error instanceof ImageDeclined)) throw error;
    this.#memory.release();
    const { name, message } = error;
    send({ kind: "declined", name, message, residentBytes: process.memoryUsage.rss() });
  }
}

/** Has the kernel take this process first when memory runs out (Linux). */
function offerMemory(): void {
  try {
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Another system, or one that does not let it.
  }
}

function serve(setting: DecoderSetting): void {
  process.title = "colophon-decoder";
  offerMemory();
  // The service finishes what is under way before it stops; signals sent to all its processes must not prevent that.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
  // An error may quote what was worked on, so it is not printed.
  for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, () => process.exit(1));
  restrictDecoders(setting.acceptedTypes);
  const bench = new Workbench(setting);
  readRequests(STDIN, {
    memory: (length) => bench.room(length),
    image: () => bench.weigh(),
    command: (command) => void bench.carryOut(command),
    ended: end,
  });
  send({ kind: "ready", cacheLimits: cacheLimits() });
}

serve(JSON.parse(process.argv[2] ?? "") as DecoderSetting);
