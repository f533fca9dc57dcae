import type { ColophonClient } from "../client.ts";
import {
  type FrameImage,
  SequenceRegistration,
  type SequenceOptions,
  type SequenceResult,
} from "./sequence-registration.ts";

/**
 * Registers the frames of a video or a burst as one sequence: admits them in batches of bounded size, fills what is
 * missing, seals, commits. Frames are read one after the other and never all in memory. They are read again when
 * something is missing in the end, so give an array, or an object whose iterator starts again; a generator is read
 * once.
 *
 * An interrupted run goes on with `sequence`, which progress tells, and the same frames in the same order; what the
 * service holds is not sent again, and a sequence that was committed meanwhile gives its answers. Nothing of it is
 * metered.
 *
 * A frame that matches a registered original (an erratum) keeps the sequence from being committed: the outcome is then
 * `errata`, and nothing is published. Run again with `leaveOutErrata`, it is left out of the chain.
 *
 * @throws ColophonError when the service refuses the sequence as a whole or one of its frames
 * @throws ColophonConnectionError when the service stays away; the signal's reason when aborted
 *
 * @example
 * const { outcome, sequenceHash, frames } = await registerSequence(client, [photo, anotherPhoto], {
 *   manifests: [{ kind: "credit", json: { by: "A. Turner" } }],
 *   onProgress: ({ phase, sent, frames }) => console.log(`${phase}: ${sent} of ${frames} frames sent`),
 * });
 * console.log(outcome); // "registered"
 * console.log(sequenceHash);
 * for (const { frameId, state, originalImageHash } of frames) console.log(frameId, state, originalImageHash);
 */
export async function registerSequence(
  client: ColophonClient,
  frames: Iterable<FrameImage> | AsyncIterable<FrameImage>,
  options: SequenceOptions = {},
): Promise<SequenceResult> {
  const sequence = options.sequence ?? (await client.sequences.open(options));
  return new SequenceRegistration(client.sequences, sequence, frames, options).run();
}
