import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AccountSettings } from "@colophon/contract";
import { createAccount, type TestAccount } from "@colophon/testing/api-client.ts";
import {
  type EmbeddedDatabase,
  embeddedDatabase,
  serviceEnvironment,
  ServiceProcess,
} from "@colophon/testing/service-process.ts";

const MANY = 1_000_000;

/** A service on a data directory of its own, which goes with it. */
export class TrialService implements AsyncDisposable {
  readonly process: ServiceProcess;
  readonly dataDir: string;
  readonly adminToken: string;

  private constructor(process: ServiceProcess, dataDir: string, adminToken: string) {
    this.process = process;
    this.dataDir = dataDir;
    this.adminToken = adminToken;
  }

  /** @param settings environment variables beyond those of every service under test */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<TrialService> {
    const dataDir = await mkdtemp(join(tmpdir(), "colophon-trial-"));
    const adminToken = randomBytes(24).toString("base64url");
    try {
      const environment = { ...serviceEnvironment(dataDir, adminToken), ...settings };
      return new TrialService(await ServiceProcess.start(environment), dataDir, adminToken);
    } catch (error) {
      await rm(dataDir, { recursive: true, force: true });
      throw error;
    }
  }

  get baseUrl(): string {
    return this.process.baseUrl;
  }

  /** How to reach the embedded database. */
  get connection(): EmbeddedDatabase {
    return embeddedDatabase(this.dataDir);
  }

  /** An account with grants for everything, unless told otherwise. */
  account(settings: AccountSettings = {}): Promise<TestAccount> {
    const all = { registrations: MANY, lookups: MANY, sequencesEnabled: true };
    return createAccount(this.baseUrl, this.adminToken, { ...all, ...settings });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process.end("SIGTERM");
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
