import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccount, type TestAccount } from "@colophon/testing/api-client.ts";
import {
  embeddedDatabase,
  embeddedDatabaseUrl,
  serviceEnvironment,
  ServiceProcess,
} from "@colophon/testing/service-process.ts";
import { SlotClient } from "@colophon/testing/slot-client.ts";
import type { Breach } from "../../src/fsck/breach.ts";
import { checkConsistency, type ConsistencyOptions } from "../../src/fsck/check-consistency.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";

/** A service in a process of its own with its database at hand, for what only the store can show. */
export class SlotService implements AsyncDisposable {
  readonly dataDir: string;
  readonly adminToken: string = randomBytes(24).toString("base64url");
  readonly database: Database;
  readonly #settings: Readonly<Record<string, string>>;
  #processes: ServiceProcess[] = [];

  private constructor(dataDir: string, settings: Readonly<Record<string, string>>) {
    this.dataDir = dataDir;
    this.#settings = settings;
    this.database = openDatabase(embeddedDatabase(dataDir), 2, () => {});
  }

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<SlotService> {
    const dataDir = await mkdtemp(join(tmpdir(), "colophon-slots-"));
    const service = new SlotService(dataDir, settings);
    await service.startProcess();
    return service;
  }

  /** Starts one more process on the same data. */
  async startProcess(settings: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const environment = serviceEnvironment(this.dataDir, this.adminToken);
    const process = await ServiceProcess.start({ ...environment, ...this.#settings, ...settings });
    this.#processes.push(process);
    return process;
  }

  /** Ends every process. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.end(signal)));
    this.#processes = [];
  }

  /** The embedded database as one of the operator's own. */
  get databaseUrl(): string {
    return embeddedDatabaseUrl(this.dataDir);
  }

  /** Where the process started n-th listens. */
  baseUrl(at = 0): string {
    return this.#processes[at]?.baseUrl ?? "";
  }

  /** What the process started n-th has printed and logged so far. */
  output(at = 0): string {
    return this.#processes[at]?.output ?? "";
  }

  account(registrations = 100, lookups = 100): Promise<TestAccount> {
    return createAccount(this.baseUrl(), this.adminToken, { registrations, lookups });
  }

  /** A new account's client. */
  async client(registrations?: number, lookups?: number): Promise<SlotClient> {
    return this.clientOf(await this.account(registrations, lookups));
  }

  clientOf(account: TestAccount, at = 0): SlotClient {
    return new SlotClient(this.baseUrl(at), account.token);
  }

  fsck(options: ConsistencyOptions): Promise<readonly Breach[]> {
    return checkConsistency(this.database, options);
  }

  /** Names of the query images on disk. */
  async pooledFiles(): Promise<readonly string[]> {
    return (await readdir(join(this.dataDir, "queries"))).filter((name) => name !== "pool-id");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.database.destroy();
    await this.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

export function jsonManifest(kind: string, text: string): { kind: string; type: string; bytes: Uint8Array } {
  return { kind, type: "application/json", bytes: Buffer.from(text) };
}
