import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccount, type Reply, untilAnswered } from "@colophon/testing/api-client.ts";
import { processorMs } from "@colophon/testing/process/processor-time.ts";
import { postmasterPid, serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";
import { SlotClient } from "@colophon/testing/slot-client.ts";
import { imageHash } from "@colophon/testing/test-pictures.ts";

const MANY = 1_000_000;
/** Images of one upload: a request stays well under its cap. */
const UPLOADED_AT_ONCE = 16;

/** A picture and what it is called in the run. */
export interface NamedPicture {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What one look-up over HTTP answered. */
export interface Answer {
  /** Names of the originals matched. */
  readonly matched: readonly string[];
  /** From the request's first byte to the answer's last, milliseconds. */
  readonly milliseconds: number;
  /** Status other than 200: the service would not look this picture up. */
  readonly refused?: number;
}

/** A service with a database and an account of its own, spoken to over HTTP alone. */
export class HttpRegistry implements AsyncDisposable {
  readonly #dataDir: string;
  readonly #service: ServiceProcess;
  readonly #client: SlotClient;
  /** Names by registration; several when their bytes are the same. */
  readonly #names = new Map<string, readonly string[]>();

  private constructor(dataDir: string, service: ServiceProcess, client: SlotClient) {
    this.#dataDir = dataDir;
    this.#service = service;
    this.#client = client;
  }

  static async start(): Promise<HttpRegistry> {
    const dataDir = await mkdtemp(join(tmpdir(), "colophon-matching-"));
    const adminToken = randomBytes(24).toString("base64url");
    const service = await ServiceProcess.start(serviceEnvironment(dataDir, adminToken));
    const grants = { registrations: MANY, lookups: MANY };
    const { token } = await createAccount(service.baseUrl, adminToken, grants);
    return new HttpRegistry(dataDir, service, new SlotClient(service.baseUrl, token));
  }

  /**
   * Registers all pictures through one slot: none is live before the commit, so that pictures related to each other are
   * all registered. Pictures with the same bytes share a registration.
   *
   * @returns what was refused, with the service's sentence
   */
  async registerAll(pictures: readonly NamedPicture[]): Promise<{ name: string; reason: string }[]> {
    const { slotId } = (await this.#client.openSlot()).body;
    const names = Map.groupBy(pictures, ({ bytes }) => imageHash(bytes));
    const refused: { name: string; reason: string }[] = [];
    for (let at = 0; at < pictures.length; at += UPLOADED_AT_ONCE) {
      const part = pictures.slice(at, at + UPLOADED_AT_ONCE);
      const { body } = expectOk(await this.#client.upload(slotId, part));
      for (const [i, { name }] of part.entries()) {
        const reason = body.outcomes[i]?.rejectionReason;
        if (typeof reason === "string") refused.push({ name, reason });
      }
    }
    const { entries } = expectOk(await this.#client.commit(slotId)).body;
    for (const { imageHash: hash, registrationId, failureReason } of entries) {
      const called = (names.get(hash) ?? []).map(({ name }) => name);
      if (registrationId) this.#names.set(registrationId, called);
      else refused.push(...called.map((name) => ({ name, reason: failureReason ?? "" })));
    }
    return refused;
  }

  /** Registers one picture while `work` runs, and takes it down again. */
  async whileRegistered(picture: NamedPicture, work: () => Promise<void>): Promise<void> {
    const { id } = expectOk(await untilAnswered(() => this.#client.register(picture.bytes))).body;
    this.#names.set(id, [picture.name]);
    await work();
    this.#names.delete(id);
    await this.#client.takeDown(id);
  }

  /** Asks with one picture. */
  async lookUp(image: Uint8Array): Promise<Answer> {
    let began = 0;
    const { status, body } = await untilAnswered(() => {
      began = performance.now();
      return this.#client.lookUp(image);
    });
    const milliseconds = performance.now() - began;
    if (status !== 200) return { matched: [], milliseconds, refused: status };
    const matched = body.candidates.flatMap(({ registrationId }) => this.#names.get(registrationId) ?? []);
    return { matched, milliseconds };
  }

  /** Processor milliseconds that the service and its database have taken so far. */
  processorMs(): Promise<number> {
    return processorMs(this.#service.pid, postmasterPid(this.#dataDir));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service[Symbol.asyncDispose]();
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}

function expectOk<Body>(reply: Reply<Body>): Reply<Body> {
  if (reply.status !== 200) {
    throw new Error(`The service answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  }
  return reply;
}
