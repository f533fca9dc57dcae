import { blake3Hex } from "@colophon/formats";
import type { ManifestPart } from "@colophon/testing/api-client.ts";
import type { SequenceClient } from "@colophon/testing/sequence-client.ts";
import { SlotClient } from "@colophon/testing/slot-client.ts";
import { picture } from "@colophon/testing/test-pictures.ts";
import { LogReader } from "./log-reader.ts";
import { sequenceClient, wholeChain } from "./sequence-service.ts";
import { jsonManifest, SlotService } from "./slot-service.ts";

/** What most originals of these tests are registered with. */
const NOTE: ManifestPart = jsonManifest("note", '{"a": 1}');

/** A record that has been registered, and is or will be an entry of the log. */
interface Published {
  readonly id: string;
  /** Of the original, BLAKE3-256 in hex. */
  readonly hash: string;
}

/** Registers the picture of a seed. @throws Error when it is refused */
export async function register(
  client: SlotClient,
  seed: number,
  manifests: readonly ManifestPart[] = [NOTE],
): Promise<Published> {
  const { status, body } = await client.register(await picture(seed), manifests);
  if (status !== 200) throw new Error(`Picture ${seed} was not registered: ${status}`);
  return { id: body.id, hash: body.originalImageHash };
}

/** A service that keeps a log, and an account that fills it, which may use sequences. */
export class LogService implements AsyncDisposable {
  readonly service: SlotService;
  readonly frames: SequenceClient;

  private constructor(service: SlotService, frames: SequenceClient) {
    this.service = service;
    this.frames = frames;
  }

  static async start(): Promise<LogService> {
    const service = await SlotService.start();
    return new LogService(service, await sequenceClient(service));
  }

  get token(): string {
    return this.frames.token;
  }

  /** The account's client, where the service listens now. */
  get client(): SlotClient {
    return new SlotClient(this.service.baseUrl(), this.token);
  }

  /** The log, where the service listens now. */
  get log(): LogReader {
    return new LogReader(this.service.baseUrl(), this.token);
  }

  /** Registers the picture of a seed, and waits until a checkpoint has it. */
  async publish(seed: number): Promise<Published> {
    const published = await register(this.client, seed);
    await this.log.proven(published.hash);
    return published;
  }

  /**
   * Registers the pictures 1 to 6: two by themselves, two by a slot, two as a sequence. Returns the originals' hashes.
   */
  async registerByEveryWay(): Promise<readonly string[]> {
    const { client, frames } = this;
    const alone = [await register(client, 1), await register(client, 2, [])];
    const { slotId } = (await client.openSlot()).body;
    const images = await Promise.all([3, 4].map(picture));
    await client.upload(
      slotId,
      images.map((bytes) => ({ bytes, manifests: [NOTE] })),
    );
    await client.commit(slotId);
    const opened = (await frames.openSequence({ manifests: [NOTE] })).body;
    await frames.admit(opened, await wholeChain(opened, [5, 6]));
    const { outcome } = (await frames.commit(opened)).body;
    if (outcome !== "registered") throw new Error(`The sequence was not registered: ${outcome}`);
    images.push(...(await Promise.all([5, 6].map(picture))));
    return [...alone.map(({ hash }) => hash), ...images.map(blake3Hex)];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.service[Symbol.asyncDispose]();
  }
}
