import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AccountSettings } from "@colophon/contract";
import { ColophonClient } from "@colophon/client";
import { createAccount } from "@colophon/testing/api-client.ts";
import { SELDOM_SWEPT, ServiceProcess, serviceEnvironment } from "@colophon/testing/service-process.ts";
import { freshPicture } from "@colophon/testing/test-pictures.ts";

/** The operator's token of every service under test. */
export const ADMIN_TOKEN = "client-test-operator-token-0123456789";

/** The service under test, in a process and with a data directory of its own. */
export class TestService implements AsyncDisposable {
  readonly baseUrl: string;
  readonly #service: ServiceProcess;
  readonly #dataDir: string;

  private constructor(service: ServiceProcess, dataDir: string) {
    this.#service = service;
    this.#dataDir = dataDir;
    this.baseUrl = service.baseUrl;
  }

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<TestService> {
    const dataDir = await mkdtemp(join(tmpdir(), "colophon-client-"));
    const environment = { ...serviceEnvironment(dataDir, ADMIN_TOKEN), ...SELDOM_SWEPT, ...settings };
    return new TestService(await ServiceProcess.start(environment), dataDir);
  }

  /** A token of a new account with these grants. */
  async token(
    settings: AccountSettings = { registrations: 200, lookups: 500, sequencesEnabled: true },
  ): Promise<string> {
    return (await createAccount(this.baseUrl, ADMIN_TOKEN, settings)).token;
  }

  /** A client of a new account. */
  async client(settings?: AccountSettings, own?: typeof fetch): Promise<ColophonClient> {
    const token = await this.token(settings);
    return new ColophonClient({ baseUrl: this.baseUrl, token, ...(own === undefined ? {} : { fetch: own }) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service[Symbol.asyncDispose]();
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}

/** A small picture nobody has registered yet. */
export async function freshPhoto(name = "photo.jpg", width = 72, height = 48): Promise<File> {
  return new File([Uint8Array.from(await freshPicture(width, height))], name, { type: "image/jpeg" });
}

/** The same, large enough to be found by its crops. */
export function freshScene(): Promise<File> {
  return freshPhoto("scene.jpg", 480, 360);
}

/** As many small pictures. */
export function freshPhotos(count: number): Promise<File[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => freshPhoto(`photo-${at}.jpg`)));
}

/** A `fetch` that lets every call through but those that `interfere` answers itself, or whose answer it loses. */
export function meddlingFetch(
  interfere: (request: { method: string; path: string }, send: () => Promise<Response>) => Promise<Response>,
): typeof fetch {
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    return interfere({ method: init?.method ?? "GET", path: url.pathname }, () => fetch(input, init));
  };
}
