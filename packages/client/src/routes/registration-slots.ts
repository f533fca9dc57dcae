import type {
  CommittedSlot,
  MissingHashes,
  OpenedSlot,
  Progress,
  Slot,
  SlotEntry,
  SlotManifest,
  UploadOutcome,
  UploadOutcomes,
} from "@colophon/contract";
import {
  jsonPayload,
  type ManifestInput,
  manifestsPayload,
  type UploadInput,
  uploadPayload,
} from "../http/parts.ts";
import type { Call, CallOptions, Transport } from "../http/transport.ts";

/**
 * Registration slots: many images gathered over several uploads and registered together. `registerAll` does the whole
 * conversation.
 *
 * @example
 * const { slotId } = await client.slots.open();
 * await client.slots.upload(slotId, [{ image: photo }]);
 * const { entries } = await client.slots.commit(slotId);
 * console.log(entries.map(({ imageHash, state }) => `${imageHash} ${state}`));
 */
export class RegistrationSlots {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Opens a slot.
   *
   * @example
   * const { slotId, expiresAt } = await client.slots.open();
   * console.log(`${slotId} until ${expiresAt}`);
   */
  open(options: CallOptions = {}): Promise<OpenedSlot> {
    return this.#transport.json({ ...options, method: "POST", path: "/slots" });
  }

  /**
   * Tells where a slot stands; does not push its expiry forward.
   *
   * @example
   * const { slotId } = await client.slots.open();
   * console.log((await client.slots.get(slotId)).status); // "open"
   */
  get(slotId: string, options: CallOptions = {}): Promise<Slot> {
    return this.#transport.json(read(slotId, "", options));
  }

  /**
   * Drops an open slot and all it holds; nothing is charged.
   *
   * @example
   * const { slotId } = await client.slots.open();
   * await client.slots.abandon(slotId);
   */
  async abandon(slotId: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.json({ ...options, method: "DELETE", path: pathOf(slotId) });
  }

  /**
   * Sends images, each with its manifests. One image that is not taken leaves the others alone: its outcome, in the
   * order sent, says why.
   *
   * @example
   * const { slotId } = await client.slots.open();
   * const json = { entries: { "cawg.ai_generative_training": { use: "notAllowed" } } };
   * const manifests = [{ kind: "cawg.training-mining", json }];
   * const [outcome] = await client.slots.upload(slotId, [{ image: photo, manifests }]);
   * console.log(outcome.accepted ? outcome.imageHash : outcome.rejectionReason);
   */
  async upload(
    slotId: string,
    uploads: readonly UploadInput[],
    options: CallOptions = {},
  ): Promise<UploadOutcome[]> {
    const call: Call = {
      ...options,
      method: "POST",
      path: pathOf(slotId, "/uploads"),
      payload: uploadPayload(uploads),
    };
    return (await this.#transport.json<UploadOutcomes>(call)).outcomes;
  }

  /**
   * Which of these images (SHA-256, lowercase hex) the slot neither holds nor remembers, in the order declared.
   *
   * @example
   * const { slotId } = await client.slots.open();
   * const missing = await client.slots.missing(slotId, ["00".repeat(32)]);
   * console.log(`${missing.length} to send`);
   */
  async missing(slotId: string, hashes: readonly string[], options: CallOptions = {}): Promise<string[]> {
    const call: Call = {
      ...options,
      method: "POST",
      path: pathOf(slotId, "/uploads/missing"),
      payload: jsonPayload({ hashes }),
      free: true,
    };
    return (await this.#transport.json<MissingHashes>(call)).missing;
  }

  /**
   * Every entry of a slot, by image hash.
   *
   * @example
   * const { slotId } = await client.slots.open();
   * console.log((await client.slots.entries(slotId)).length); // 0
   */
  async entries(slotId: string, options: CallOptions = {}): Promise<SlotEntry[]> {
    return (await this.#transport.json<SlotManifest>(read(slotId, "/manifest", options))).entries;
  }

  /**
   * Replaces the manifests of a held entry whole; an empty list clears them.
   *
   * @example
   * const { slotId } = await client.slots.open();
   * const [{ imageHash }] = await client.slots.upload(slotId, [{ image: photo }]);
   * await client.slots.replaceManifests(slotId, imageHash, [{ kind: "credit", json: { by: "A. Turner" } }]);
   */
  replaceManifests(
    slotId: string,
    imageHash: string,
    manifests: readonly ManifestInput[],
    options: CallOptions = {},
  ): Promise<SlotEntry> {
    return this.#transport.json({
      ...options,
      method: "PUT",
      path: `${entryPath(slotId, imageHash)}/manifests`,
      payload: manifestsPayload(manifests),
    });
  }

  /**
   * Removes an entry and returns its reservation; removing what is gone succeeds too.
   *
   * @example
   * const { slotId } = await client.slots.open();
   * const [{ imageHash }] = await client.slots.upload(slotId, [{ image: photo }]);
   * await client.slots.remove(slotId, imageHash);
   */
  async remove(slotId: string, imageHash: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.json({ ...options, method: "DELETE", path: entryPath(slotId, imageHash) });
  }

  /**
   * Registers all that a slot holds. Final.
   *
   * @example
   * const { slotId } = await client.slots.open();
   * await client.slots.upload(slotId, [{ image: photo }]);
   * const { entries } = await client.slots.commit(slotId);
   * console.log(entries[0].registrationId);
   */
  commit(slotId: string, options: CallOptions = {}): Promise<CommittedSlot> {
    return this.#transport.json({ ...options, method: "POST", path: pathOf(slotId, "/commit") });
  }

  /**
   * Counts and lists the entries of a slot by state, after the commit too.
   *
   * @example
   * const { slotId } = await client.slots.open();
   * const { status, counts } = await client.slots.progress(slotId);
   * console.log(`${status}: ${counts.held} of ${counts.total} held`);
   */
  progress(slotId: string, options: CallOptions = {}): Promise<Progress> {
    return this.#transport.json(read(slotId, "/progress", options));
  }
}

function pathOf(slotId: string, below = ""): string {
  return `/slots/${encodeURIComponent(slotId)}${below}`;
}

function entryPath(slotId: string, imageHash: string): string {
  return pathOf(slotId, `/entries/${encodeURIComponent(imageHash)}`);
}

function read(slotId: string, below: string, options: CallOptions): Call {
  return { ...options, method: "GET", path: pathOf(slotId, below), free: true };
}
