import type {
  LookupQuery,
  LookupSlotResults,
  MissingHashes,
  OpenedLookupSlot,
  Progress,
  SlotEntry,
  SlotManifest,
  UploadOutcome,
  UploadOutcomes,
} from "@colophon/contract";
import { type ImageInput, jsonPayload, uploadPayload } from "../http/parts.ts";
import type { Call, CallOptions, Transport } from "../http/transport.ts";

/**
 * Look-up slots: many query images gathered over several uploads and looked up together. `lookUpAll` does the whole
 * conversation.
 *
 * @example
 * const { lookupSlotId } = await client.lookupSlots.open();
 * await client.lookupSlots.upload(lookupSlotId, [photo]);
 * const [query] = await client.lookupSlots.commit(lookupSlotId);
 * console.log(query.result?.matched); // false
 */
export class LookupSlots {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Opens a slot.
   *
   * @example
   * const { lookupSlotId, expiresAt } = await client.lookupSlots.open();
   * console.log(`${lookupSlotId} until ${expiresAt}`);
   */
  open(options: CallOptions = {}): Promise<OpenedLookupSlot> {
    return this.#transport.json({ ...options, method: "POST", path: "/lookup/slots" });
  }

  /**
   * Deletes the pixels held and drops the slot; nothing is charged.
   *
   * @example
   * const { lookupSlotId } = await client.lookupSlots.open();
   * await client.lookupSlots.abandon(lookupSlotId);
   */
  async abandon(slotId: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.json({ ...options, method: "DELETE", path: pathOf(slotId) });
  }

  /**
   * Sends query images; the outcomes are in the order sent.
   *
   * @example
   * const { lookupSlotId } = await client.lookupSlots.open();
   * const outcomes = await client.lookupSlots.upload(lookupSlotId, [photo, anotherPhoto]);
   * console.log(outcomes.every(({ accepted }) => accepted));
   */
  async upload(
    slotId: string,
    images: readonly ImageInput[],
    options: CallOptions = {},
  ): Promise<UploadOutcome[]> {
    const call: Call = {
      ...options,
      method: "POST",
      path: pathOf(slotId, "/queries"),
      payload: uploadPayload(images.map((image) => ({ image }))),
    };
    return (await this.#transport.json<UploadOutcomes>(call)).outcomes;
  }

  /**
   * Which of these query images (SHA-256, lowercase hex) the slot does not hold, in the order declared.
   *
   * @example
   * const { lookupSlotId } = await client.lookupSlots.open();
   * const missing = await client.lookupSlots.missing(lookupSlotId, ["00".repeat(32)]);
   * console.log(`${missing.length} to send`);
   */
  async missing(slotId: string, hashes: readonly string[], options: CallOptions = {}): Promise<string[]> {
    const call: Call = {
      ...options,
      method: "POST",
      path: pathOf(slotId, "/queries/missing"),
      payload: jsonPayload({ hashes }),
      free: true,
    };
    return (await this.#transport.json<MissingHashes>(call)).missing;
  }

  /**
   * Every query of a slot, by image hash.
   *
   * @example
   * const { lookupSlotId } = await client.lookupSlots.open();
   * console.log((await client.lookupSlots.entries(lookupSlotId)).length); // 0
   */
  async entries(slotId: string, options: CallOptions = {}): Promise<SlotEntry[]> {
    return (await this.#transport.json<SlotManifest>(read(slotId, "/manifest", options))).entries;
  }

  /**
   * Deletes a query's pixels and returns its look-up; removing what is gone succeeds too.
   *
   * @example
   * const { lookupSlotId } = await client.lookupSlots.open();
   * const [{ imageHash }] = await client.lookupSlots.upload(lookupSlotId, [photo]);
   * await client.lookupSlots.remove(lookupSlotId, imageHash);
   */
  async remove(slotId: string, imageHash: string, options: CallOptions = {}): Promise<void> {
    const path = pathOf(slotId, `/entries/${encodeURIComponent(imageHash)}`);
    await this.#transport.json({ ...options, method: "DELETE", path });
  }

  /**
   * Looks up all that a slot holds. Final.
   *
   * @example
   * const { lookupSlotId } = await client.lookupSlots.open();
   * await client.lookupSlots.upload(lookupSlotId, [photo]);
   * for (const query of await client.lookupSlots.commit(lookupSlotId)) {
   *   console.log(query.imageHash, query.result?.matched ?? query.failureReason);
   * }
   */
  async commit(slotId: string, options: CallOptions = {}): Promise<LookupQuery[]> {
    const call: Call = { ...options, method: "POST", path: pathOf(slotId, "/commit") };
    return (await this.#transport.json<LookupSlotResults>(call)).queries;
  }

  /**
   * Counts and lists the queries of a slot by state.
   *
   * @example
   * const { lookupSlotId } = await client.lookupSlots.open();
   * console.log((await client.lookupSlots.progress(lookupSlotId)).counts.held); // 0
   */
  progress(slotId: string, options: CallOptions = {}): Promise<Progress> {
    return this.#transport.json(read(slotId, "/progress", options));
  }

  /**
   * Gives the queries and their verdicts as the commit did, until the slot expires.
   *
   * @example
   * const { lookupSlotId } = await client.lookupSlots.open();
   * await client.lookupSlots.upload(lookupSlotId, [photo]);
   * await client.lookupSlots.commit(lookupSlotId);
   * console.log((await client.lookupSlots.results(lookupSlotId)).length); // 1
   */
  async results(slotId: string, options: CallOptions = {}): Promise<LookupQuery[]> {
    return (await this.#transport.json<LookupSlotResults>(read(slotId, "/results", options))).queries;
  }
}

function pathOf(slotId: string, below = ""): string {
  return `/lookup/slots/${encodeURIComponent(slotId)}${below}`;
}

function read(slotId: string, below: string, options: CallOptions): Call {
  return { ...options, method: "GET", path: pathOf(slotId, below), free: true };
}
