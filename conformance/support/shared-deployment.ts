import { SELDOM_SWEPT } from "@colophon/testing/service-process.ts";
import type { TestProject } from "vitest/node";
import { type Address, startDeployment } from "./deployment.ts";

declare module "vitest" {
  interface ProvidedContext {
    deployment: Address;
  }
}

/**
 * Before the tests of the contract: the service that the environment names with COLOPHON_CONFORMANCE_URL and
 * COLOPHON_CONFORMANCE_ADMIN_TOKEN, or one started for the time of the tests.
 */
export async function setup(project: TestProject): Promise<(() => PromiseLike<void>) | undefined> {
  const { COLOPHON_CONFORMANCE_URL: url, COLOPHON_CONFORMANCE_ADMIN_TOKEN: adminToken } = process.env;
  if (url !== undefined && adminToken !== undefined) {
    project.provide("deployment", { baseUrl: url.replace(/\/$/, ""), adminToken });
    return undefined;
  }
  const deployment = await startDeployment(SELDOM_SWEPT);
  project.provide("deployment", { baseUrl: deployment.baseUrl, adminToken: deployment.adminToken });
  return () => deployment[Symbol.asyncDispose]();
}
