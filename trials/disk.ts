/**
 * Fills the volume of a service's data, by pooled queries and by a stranger's file, and looks what the service does:
 * refusals, what frees room, sweeps, recovery, the stop. Then the same for a PostgreSQL of the operator's. Needs root:
 * it mounts a tmpfs.
 *
 *     node trials/disk.ts [--megabytes 420] [--seed 1]
 */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { statfsSync } from "node:fs";
import { mkdtemp, open, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createAccount } from "@colophon/testing/api-client.ts";
import {
  type EmbeddedDatabase,
  embeddedDatabase,
  postmasterIfThere,
  serviceEnvironment,
  ServiceProcess,
} from "@colophon/testing/service-process.ts";
import { SlotClient } from "@colophon/testing/slot-client.ts";
import { imageHash, type ImageMaker, imageMaker } from "@colophon/testing/test-pictures.ts";
import { openDatabase, writing } from "../packages/server/src/store/database.ts";
import { Findings } from "./support/findings.ts";
import { OwnPostgres } from "./support/own-postgres.ts";
import { auditSettled } from "./support/registry-audit.ts";
import { runTrial } from "./support/run-trial.ts";

const MIB = 2 ** 20;
const QUERY_BYTES = 32 * MIB;
const RESERVE = 96 * MIB;
const RECOVERY_MS = 60_000;
const STOP_MS = 90_000;
const SLOT_SECONDS = 600;
const ACCOUNT = { registrations: 10_000, lookups: 10_000 };

/** What a run saw; `breaches` must be empty. */
export interface DiskReport {
  /** Answers by phase, call and status. */
  readonly answers: Readonly<Record<string, number>>;
  /** MiB free at the moments that matter. */
  readonly free: Readonly<Record<string, number>>;
  readonly milliseconds: Readonly<Record<string, number>>;
  readonly breaches: readonly string[];
}

export async function runDisk(options: {
  readonly megabytes: number;
  readonly seed: number;
}): Promise<DiskReport> {
  const findings = new Findings();
  const run = new DiskRun(findings, options.seed);
  await onVolume(options.megabytes, (volume) => run.embedded(volume));
  await onVolume(options.megabytes, (volume) => run.own(volume));
  return {
    answers: findings.counts,
    free: run.free,
    milliseconds: run.milliseconds,
    breaches: findings.breaches,
  };
}

/** Runs `work` on a file system of its own, of so many MiB. */
async function onVolume(megabytes: number, work: (volume: string) => Promise<void>): Promise<void> {
  const volume = await mkdtemp(join(tmpdir(), "colophon-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=755`, "tmpfs", volume]);
  try {
    await work(volume);
  } finally {
    execFileSync("umount", ["-l", volume]);
    await rm(volume, { recursive: true, force: true });
  }
}

class DiskRun {
  readonly free: Record<string, number> = {};
  readonly milliseconds: Record<string, number> = {};
  readonly #findings: Findings;
  readonly #image: ImageMaker;
  readonly #adminToken = randomBytes(24).toString("base64url");
  #phase = "";

  constructor(findings: Findings, seed: number) {
    this.#findings = findings;
    this.#image = imageMaker(seed);
  }

  /** Database and query pool on one small volume. */
  async embedded(volume: string): Promise<void> {
    const dataDir = join(volume, "data");
    const environment = {
      ...serviceEnvironment(dataDir, this.#adminToken),
      COLOPHON_DISK_RESERVE: String(RESERVE),
      COLOPHON_SLOT_IDLE_SECONDS: String(SLOT_SECONDS),
    };
    let service = await ServiceProcess.start(environment);
    try {
      await this.#embeddedPhases(volume, dataDir, service);
      await this.#stopWhenFull(volume, dataDir, service);
      service = await ServiceProcess.start(environment);
      await this.#ready(service, 200);
      await this.#consistent(embeddedDatabase(dataDir));
    } catch (error) {
      throw new Error(`The run broke off in ${this.#phase}. The service said:\n${service.output}`, {
        cause: error,
      });
    } finally {
      await service.end("SIGTERM");
    }
  }

  async #embeddedPhases(volume: string, dataDir: string, service: ServiceProcess): Promise<void> {
    const filler = await this.#client(service);
    const other = await this.#client(service);
    const kept = await this.#image();
    const registered = await other.register(kept);
    const { slotId } = (await other.openSlot()).body;
    const held = await this.#image();
    await other.upload(slotId, [{ bytes: held }]);

    this.#phase = "filled by queries";
    this.free["at the start"] = freeOf(volume);
    const filling = await this.#fillByQueries(filler);
    this.free["filled by queries"] = freeOf(volume);
    this.#findings.expect(freeBytes(volume) >= RESERVE - MIB, "pooled queries have used the reserve");
    await this.#ready(service, 200);
    this.#expect("register", (await other.register(await this.#image())).status, [200]);

    this.#phase = "reserve used up";
    {
      await using ballast = await Ballast.fill(volume, RESERVE / 2);
      this.free["reserve used up"] = freeOf(volume);
      await this.#ready(service, 503);
      await this.#workWithoutRoom(other);
      this.#expect("look-up", (await other.lookUp(kept)).status, [200]);
      this.#expect("stats", (await other.call("GET", "/account/stats")).status, [200]);
      this.#expect("remove an entry", (await other.removeEntry(slotId, imageHash(held))).status, [204]);
      this.#expect("take-down", (await other.takeDown(registered.body.id)).status, [204]);
      this.#expect("abandon the filled slot", (await filler.abandonLookup(filling)).status, [204]);
      void ballast;
    }
    this.free["after abandoning"] = freeOf(volume);
    await this.#ready(service, 200);
    this.#expect("register again", (await other.register(kept)).status, [200]);

    this.#phase = "filled by a stranger";
    const expiring = await this.#fillByQueries(filler);
    {
      await using ballast = await this.#thenExpire(dataDir, expiring, async () => {
        const filled = await Ballast.fill(volume);
        this.free["by a stranger"] = freeOf(volume);
        await this.#workWithoutRoom(other);
        this.#expect("look-up when full", (await other.lookUp(kept)).status, [200, 503]);
        this.#expect("abandon when full", (await other.abandon(slotId)).status, [204, 503]);
        return filled;
      });
      await this.#poolEmpty(dataDir);
      this.free["swept"] = freeOf(volume);
      void ballast;
    }
    const began = performance.now();
    await this.#ready(service, 200);
    this.milliseconds["back after a stranger's file"] = Math.round(performance.now() - began);
    this.#expect("register after it", (await other.register(await this.#image())).status, [200]);
    await this.#consistent(embeddedDatabase(dataDir));
  }

  /** SIGTERM with nothing free: the service ends, and so does its database. */
  async #stopWhenFull(volume: string, dataDir: string, service: ServiceProcess): Promise<void> {
    this.#phase = "stopped when full";
    await using ballast = await Ballast.fill(volume);
    const began = performance.now();
    const ended = service.end("SIGTERM").then(() => true);
    const inTime = await Promise.race([ended, sleep(STOP_MS).then(() => false)]);
    this.milliseconds["stop when full"] = Math.round(performance.now() - began);
    this.#findings.expect(inTime, "the service does not stop when its disk is full");
    if (!inTime) await service.end("SIGKILL");
    this.#findings.expect(postmasterIfThere(dataDir) === null, "the database still runs after the stop");
    void ballast;
  }

  /** A PostgreSQL of the operator's on the small volume, the service's files elsewhere. */
  async own(volume: string): Promise<void> {
    this.#phase = "own PostgreSQL";
    await using held = new AsyncDisposableStack();
    const server = held.use(await OwnPostgres.start(volume));
    const dataDir = await mkdtemp(join(tmpdir(), "colophon-disk-"));
    held.defer(() => rm(dataDir, { recursive: true, force: true }));
    const environment = serviceEnvironment(dataDir, this.#adminToken);
    const service = held.use(
      await ServiceProcess.start({
        ...environment,
        COLOPHON_DATABASE_URL: server.url,
        COLOPHON_DISK_RESERVE: "0",
      }),
    );
    const client = await this.#client(service);
    const kept = await this.#image();
    this.#expect("register", (await client.register(kept)).status, [200]);
    {
      await using ballast = await Ballast.fill(volume);
      for (let at = 0; at < 40; at += 1) {
        this.#expect("register when full", (await client.register(await this.#image())).status, [200, 503]);
      }
      void ballast;
    }
    // One that could not write its log has shut itself down; its operator brings it back.
    if (!(await answers(client))) await server.serve().catch(() => undefined);
    const began = performance.now();
    await this.#ready(service, 200);
    this.milliseconds["own PostgreSQL, back"] = Math.round(performance.now() - began);
    this.#expect("register after it", (await client.register(await this.#image())).status, [200]);
    await this.#consistent(server.connection);
  }

  async #client(service: ServiceProcess): Promise<SlotClient> {
    const { token } = await createAccount(service.baseUrl, this.#adminToken, ACCOUNT);
    return new SlotClient(service.baseUrl, token);
  }

  /** Uploads queries, of 32 MiB at first, until not even a small one is taken. @returns the slot that holds them */
  async #fillByQueries(client: SlotClient): Promise<string> {
    const { lookupSlotId } = (await client.openLookupSlot()).body;
    let size = QUERY_BYTES;
    for (let at = 0; at < 100; at += 1) {
      const bytes = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), randomBytes(size)]);
      const { status } = await client.uploadQueries(lookupSlotId, [{ bytes }]);
      this.#expect("upload a query", status, [200, 503]);
      if (status === 200) continue;
      size /= 4;
      if (size < MIB) return lookupSlotId;
    }
    this.#findings.breach(`${this.#phase}: the volume was never full`);
    return lookupSlotId;
  }

  /** What adds to the store is refused, whatever it is, and leaves nothing. */
  async #workWithoutRoom(client: SlotClient): Promise<void> {
    this.#expect("register without room", (await client.register(await this.#image())).status, [503]);
    this.#expect("open a slot without room", (await client.openSlot()).status, [503]);
    this.#expect("open a look-up slot without room", (await client.openLookupSlot()).status, [503]);
  }

  /**
   * Runs `work`, then has the slot's time end, as was written before it: until then nothing that the slot holds gives
   * room.
   */
  async #thenExpire<T>(dataDir: string, slotId: string, work: () => Promise<T>): Promise<T> {
    const database = openDatabase(embeddedDatabase(dataDir), 1, () => {});
    try {
      return await writing(database, async (write) => {
        await write.updateTable("slot").set({ expiresAt: new Date() }).where("slotId", "=", slotId).execute();
        return work();
      });
    } finally {
      await database.destroy();
    }
  }

  /** Waits until the service says of itself that it is ready, or is not. */
  async #ready(service: ServiceProcess, status: number): Promise<void> {
    for (const deadline = performance.now() + RECOVERY_MS; ; await sleep(50)) {
      if ((await fetch(`${service.baseUrl}/ready`)).status === status) return;
      if (performance.now() > deadline) {
        this.#findings.breach(`${this.#phase}: /ready does not become ${status}`);
        return;
      }
    }
  }

  async #poolEmpty(dataDir: string): Promise<void> {
    for (const deadline = performance.now() + RECOVERY_MS; ; await sleep(50)) {
      const files = (await readdir(join(dataDir, "queries"))).filter((name) => name !== "pool-id");
      if (files.length === 0) return;
      if (performance.now() > deadline) {
        this.#findings.breach(`${this.#phase}: ${files.length} pooled files are left`);
        return;
      }
    }
  }

  /** Gives the sweeps time, until everything adds up. */
  async #consistent(address: EmbeddedDatabase): Promise<void> {
    for (const breach of await auditSettled(address)) {
      this.#findings.breach(`${this.#phase}: ${breach}`);
    }
  }

  #expect(what: string, status: number, allowed: readonly number[]): void {
    this.#findings.count(`${this.#phase}: ${what}: ${status}`);
    this.#findings.expect(allowed.includes(status), `${this.#phase}: ${what} is answered ${status}`);
  }
}

/** A stranger's file that takes all there is. */
class Ballast implements AsyncDisposable {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /** @param spare bytes that are left */
  static async fill(volume: string, spare = 0): Promise<Ballast> {
    const path = join(volume, "ballast");
    await using file = await open(path, "w");
    for (let size = MIB; size >= 4096 && freeBytes(volume) > spare; ) {
      try {
        const { bytesWritten } = await file.write(Buffer.alloc(size));
        if (bytesWritten < size) size /= 2;
      } catch {
        size /= 2;
      }
    }
    return new Ballast(path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#path, { force: true });
  }
}

async function answers(client: SlotClient): Promise<boolean> {
  return (await client.call("GET", "/account/stats")).status === 200;
}

function freeBytes(volume: string): number {
  const { bavail, bsize } = statfsSync(volume);
  return bavail * bsize;
}

/** In MiB. */
function freeOf(volume: string): number {
  return Math.round(freeBytes(volume) / MIB);
}

if (import.meta.main) await runTrial({ megabytes: 420, seed: 1 }, runDisk);
