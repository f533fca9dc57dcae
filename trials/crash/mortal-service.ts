import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AccountSettings } from "@colophon/contract";
import type { Database } from "../../packages/server/src/store/database.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import { ApiClient, createAccount, type TestAccount } from "@colophon/testing/api-client.ts";
import { chance, pick } from "@colophon/testing/chance.ts";
import {
  embeddedDatabase,
  postmasterIfThere,
  postmasterPid,
  serviceEnvironment,
  ServiceProcess,
} from "@colophon/testing/service-process.ts";
import { auditLedgers, auditSettled } from "../support/registry-audit.ts";
import { killDecoders } from "./kill-decoders.ts";

const RECOVERY_MS = 60_000;
const VICTIMS = ["service", "service", "database", "both", "decoders"] as const;
/** Decoders are killed before the others in so many rounds. */
const DECODERS_FIRST = 0.5;

/**
 * A service on data of its own, to be killed with or without its database or its decoders and brought back, and one
 * account of it.
 */
export class MortalService implements AsyncDisposable {
  readonly dataDir: string;
  readonly #environment: Readonly<Record<string, string>>;
  #service: ServiceProcess;
  readonly #account: TestAccount;
  /** The last that was killed. */
  #killedPostmaster: number | null = null;

  private constructor(
    dataDir: string,
    environment: Readonly<Record<string, string>>,
    service: ServiceProcess,
    account: TestAccount,
  ) {
    this.dataDir = dataDir;
    this.#environment = environment;
    this.#service = service;
    this.#account = account;
  }

  static async start(
    account: AccountSettings,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<MortalService> {
    const dataDir = await mkdtemp(join(tmpdir(), "colophon-crash-"));
    try {
      const adminToken = randomBytes(24).toString("base64url");
      const environment = { ...serviceEnvironment(dataDir, adminToken), ...settings };
      const service = await ServiceProcess.start(environment);
      const made = await createAccount(service.baseUrl, adminToken, account);
      return new MortalService(dataDir, environment, service, made);
    } catch (error) {
      await rm(dataDir, { recursive: true, force: true });
      throw error;
    }
  }

  get baseUrl(): string {
    return this.#service.baseUrl;
  }

  get token(): string {
    return this.#account.token;
  }

  /** Kills the process, its database or both, after some of its decoders or these alone. */
  async kill(random: Random): Promise<void> {
    const victim = pick(random, VICTIMS);
    if (victim === "decoders" || chance(random, DECODERS_FIRST)) killDecoders(this.#service.pid, random);
    if (victim === "database" || victim === "both") {
      this.#killedPostmaster = postmasterPid(this.dataDir);
      process.kill(this.#killedPostmaster, "SIGKILL");
    }
    if (victim === "service" || victim === "both") await this.#service.end("SIGKILL");
  }

  /** Stops the process in order, and starts it again. */
  async restart(): Promise<void> {
    await this.#service.end("SIGTERM");
    this.#service = await ServiceProcess.start(this.#environment);
  }

  /** Brings the process back if it is gone, and waits until it answers. @returns how long that took, in milliseconds */
  async recover(): Promise<number> {
    const began = performance.now();
    if (!this.#service.alive) this.#service = await ServiceProcess.start(this.#environment);
    for (const deadline = Date.now() + RECOVERY_MS; ; await sleep(20)) {
      const client = new ApiClient(this.baseUrl, this.token);
      const isBack = this.#hasNewPostmaster();
      const reply = await client.call("GET", "/account/stats").catch(() => null);
      if (isBack && reply?.status === 200) return performance.now() - began;
      if (!this.#service.alive || Date.now() > deadline) {
        throw new Error(`No recovery:\n${this.#service.output}`);
      }
    }
  }

  /** False while sessions of a killed database may still answer. */
  #hasNewPostmaster(): boolean {
    const pid = postmasterIfThere(this.dataDir);
    return pid !== null && pid !== this.#killedPostmaster;
  }

  /**
   * What is wrong once the sweeps have had their time: the rules of `fsck`, both ledgers as they are exported, and
   * `others`.
   * @param others what is wrong beyond these
   */
  async settled(others?: (database: Database) => Promise<readonly string[]>): Promise<readonly string[]> {
    const { COLOPHON_ADMIN_TOKEN: adminToken = "" } = this.#environment;
    return [
      ...(await auditSettled(embeddedDatabase(this.dataDir), others)),
      ...(await auditLedgers(this.baseUrl, adminToken, this.#account.accountId)),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service.end("SIGTERM");
    // A service that did not come back has left its database running.
    const left = postmasterIfThere(this.dataDir);
    if (left !== null) process.kill(left, "SIGQUIT");
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
