import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { ServiceProcess, serviceEnvironment } from "@colophon/testing/service-process.ts";

const ADMIN_TOKEN = "conformance-operator-token-0123456789";

/** Where a service is reached. */
export interface Address {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly adminToken: string;
}

/** A running service under test. */
export interface Deployment extends Address, AsyncDisposable {}

/** The one service that all tests share but those that need settings of their own: see `shared-deployment.ts`. */
export async function deploymentUnderTest(): Promise<Deployment> {
  return { ...inject("deployment"), [Symbol.asyncDispose]: async () => {} };
}

/** Starts the service of this repository on a free port, with a data directory of its own and these settings. */
export async function startDeployment(settings: Readonly<Record<string, string>>): Promise<Deployment> {
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-conformance-"));
  const service = await ServiceProcess.start({ ...serviceEnvironment(dataDir, ADMIN_TOKEN), ...settings });
  return {
    baseUrl: service.baseUrl,
    adminToken: ADMIN_TOKEN,
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
