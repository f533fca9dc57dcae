import type {
  AbandonedSequence,
  AdmittedFrames,
  CommittedSequence,
  OpenedSequence,
  SequenceGaps,
  SequenceProgress,
  SequenceResults,
} from "@colophon/contract";
import { framesPayload, jsonPayload, type ManifestInput, openingPayload } from "../http/parts.ts";
import type { Call, CallOptions, Transport } from "../http/transport.ts";

/** What opens the routes of one sequence; the answer of `open` is one. */
export type SequenceKey = Pick<OpenedSequence, "sequenceId" | "ticket">;

/**
 * Sequences: the frames of a video or a burst, in a chain, registered as one. Frames are PX containers, which
 * `encodeFrame` of `@colophon/formats` makes. `registerSequence` does the whole conversation.
 *
 * @example
 * const sequence = await client.sequences.open();
 * const { sequenceId } = sequence;
 * const image = new Uint8Array(await photo.arrayBuffer());
 * const body = encodeFrame({ type: "BODY", sequenceId, frameId: 1, prev: 0, next: 2, image });
 * const end = encodeFrame({ type: "END", sequenceId, frameId: 2, prev: 1, next: null });
 * await client.sequences.admit(sequence, [body, end]);
 * const { outcome, frames } = await client.sequences.commit(sequence);
 * console.log(outcome); // "registered"
 * console.log(frames.map(({ originalImageHash }) => originalImageHash));
 */
export class Sequences {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Opens a sequence. Its manifests are those of every frame's record; the size expected is advice.
   *
   * @example
   * const manifests = [{ kind: "credit", json: { by: "A. Turner" } }];
   * const { sequenceId, ticket } = await client.sequences.open({ manifests, expectedSize: 240 });
   * console.log(sequenceId, ticket);
   */
  open({
    manifests = [],
    expectedSize,
    ...options
  }: CallOptions & {
    readonly manifests?: readonly ManifestInput[] | undefined;
    readonly expectedSize?: number | undefined;
  } = {}): Promise<OpenedSequence> {
    const payload = openingPayload(expectedSize, manifests);
    return this.#transport.json({ ...options, method: "POST", path: "/sequences", payload });
  }

  /**
   * Admits BODY and END frames, all of them or none; an END seals the sequence. A frame that the sequence holds already
   * changes nothing, so that a batch without an answer is sent again.
   *
   * @example
   * const sequence = await client.sequences.open();
   * const image = new Uint8Array(await photo.arrayBuffer());
   * const { sequenceId } = sequence;
   * const frame = encodeFrame({ type: "BODY", sequenceId, frameId: 1, prev: 0, next: 2, image });
   * const { frames } = await client.sequences.admit(sequence, [frame]);
   * console.log(frames[0].errata ? "registered already" : "new");
   */
  admit(
    sequence: SequenceKey,
    containers: readonly Uint8Array<ArrayBuffer>[],
    options: CallOptions = {},
  ): Promise<AdmittedFrames> {
    const payload = framesPayload(containers);
    return this.#transport.json({ ...call(sequence, "POST", "/frames", options), payload, free: true });
  }

  /**
   * Removes a BODY frame, which opens a gap where it was.
   *
   * @example
   * const sequence = await client.sequences.open();
   * const image = new Uint8Array(await photo.arrayBuffer());
   * const { sequenceId } = sequence;
   * const frame = encodeFrame({ type: "BODY", sequenceId, frameId: 1, prev: 0, next: 2, image });
   * await client.sequences.admit(sequence, [frame]);
   * await client.sequences.removeFrame(sequence, 1);
   */
  async removeFrame(sequence: SequenceKey, frameId: number, options: CallOptions = {}): Promise<void> {
    await this.#transport.json(call(sequence, "DELETE", `/frames/${frameId}`, options));
  }

  /**
   * Publishes every frame of a sealed sequence, then its record. What stays `incomplete` is not undone: the same call
   * goes on with it.
   *
   * @example
   * const sequence = await client.sequences.open();
   * const refusal = await client.sequences.commit(sequence).catch((error) => error);
   * console.log(refusal.is("sequenceNotCommittable")); // true
   * console.log(refusal.extensions.shortfalls);
   */
  commit(sequence: SequenceKey, options: CallOptions = {}): Promise<CommittedSequence> {
    return this.#transport.json(call(sequence, "POST", "/commit", options));
  }

  /**
   * The ranges of frames that are missing, with a GAP frame for each.
   *
   * @example
   * const sequence = await client.sequences.open();
   * for (const { from, to } of await client.sequences.gaps(sequence)) console.log(`${from} to ${to}`);
   */
  async gaps(sequence: SequenceKey, options: CallOptions = {}): Promise<SequenceGaps["gaps"]> {
    const answer = this.#transport.json<SequenceGaps>({
      ...call(sequence, "GET", "/gaps", options),
      free: true,
    });
    return (await answer).gaps;
  }

  /**
   * Tells what a sequence holds and what it lacks.
   *
   * @example
   * const sequence = await client.sequences.open();
   * const { state, framesReceived } = await client.sequences.progress(sequence);
   * console.log(state); // "open"
   * console.log(framesReceived); // 0
   */
  progress(sequence: SequenceKey, options: CallOptions = {}): Promise<SequenceProgress> {
    return this.#transport.json({ ...call(sequence, "GET", "/progress", options), free: true });
  }

  /**
   * The record of a committed sequence.
   *
   * @example
   * const { sequence } = await registerSequence(client, [photo]);
   * const { sequenceHash, finalSize } = await client.sequences.results(sequence);
   * console.log(finalSize); // 1
   * console.log(sequenceHash);
   */
  results(sequence: SequenceKey, options: CallOptions = {}): Promise<SequenceResults> {
    return this.#transport.json({ ...call(sequence, "GET", "/results", options), free: true });
  }

  /**
   * Changes the size expected; it is advice, and never checked.
   *
   * @example
   * const sequence = await client.sequences.open();
   * await client.sequences.setExpectedSize(sequence, 480);
   * console.log((await client.sequences.progress(sequence)).expectedSize); // 480
   */
  async setExpectedSize(
    sequence: SequenceKey,
    expectedSize: number,
    options: CallOptions = {},
  ): Promise<void> {
    const payload = jsonPayload({ expectedSize });
    await this.#transport.json({ ...call(sequence, "PUT", "/expected-size", options), payload });
  }

  /**
   * Ends a sequence that is not committed, and purges all it holds.
   *
   * @example
   * const sequence = await client.sequences.open();
   * console.log((await client.sequences.abandon(sequence)).state); // "abandoned"
   */
  abandon(sequence: SequenceKey, options: CallOptions = {}): Promise<AbandonedSequence> {
    return this.#transport.json(call(sequence, "DELETE", "", options));
  }
}

function call(
  { sequenceId, ticket }: SequenceKey,
  method: Call["method"],
  below: string,
  options: CallOptions,
): Call {
  return { ...options, method, path: `/sequences/${encodeURIComponent(sequenceId)}${below}`, ticket };
}
