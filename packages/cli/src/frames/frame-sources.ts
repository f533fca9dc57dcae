import { stat } from "node:fs/promises";
import type { FrameImage } from "@colophon/client";
import { Failure } from "../failure.ts";
import { imageFiles, isImageName } from "../input/image-files.ts";
import { type FrameChoice, VideoFrames } from "./video-frames.ts";

/** Where the frames of a sequence come from. */
export interface FrameSource {
  /** They can be read as often as is needed, and come in the same order. */
  readonly frames: Iterable<FrameImage> | AsyncIterable<FrameImage>;
  /** How many there are; of a video, about. */
  readonly expected: number;
  /** The file of each frame, in their order; null of a video. */
  readonly names: readonly string[] | null;
  /** When each frame of a video is shown, in seconds, once it has been read; null of stills. */
  readonly seconds: readonly number[] | null;
}

/** What the help of a command says about its VIDEO|PATH operands. */
export const FRAME_DETAILS: string = [
  "The frames are those of one VIDEO, which ffmpeg decodes (it and ffprobe must be on the PATH; no frame is written to disk), or",
  "stills: files and folders, taken in the natural order of their paths, so that frame-2 goes before frame-10.",
].join("\n");

const NATURAL = new Intl.Collator("en", { numeric: true });

/** The frames that the operands name. No frame is read yet. @throws Failure (usage) */
export async function frameSource(operands: readonly string[], choice: FrameChoice): Promise<FrameSource> {
  const [first = "", ...others] = operands;
  if (others.length === 0 && !isImageName(first) && (await isFile(first))) {
    const frames = await VideoFrames.of(first, choice);
    return { frames, expected: frames.expected, names: null, seconds: frames.seconds };
  }
  const { every = 1, fps } = choice;
  const files = (await imageFiles(operands))
    .toSorted((a, b) => NATURAL.compare(a.name, b.name))
    .filter((_, at) => at % every === 0);
  if (fps !== undefined) throw Failure.usage("--fps is for videos; of stills, --every takes some.");
  return {
    frames: files.map(({ image }) => image),
    expected: files.length,
    names: files.map(({ name }) => name),
    seconds: null,
  };
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() === true;
}

/** Path, length and time of what a source reads: with any of these changed, its frames may be others. */
export async function fingerprints({ names }: FrameSource, operands: readonly string[]): Promise<string[]> {
  const stats = (names ?? operands).map(async (path) => {
    const { size, mtimeMs } = await stat(path);
    return `${path} ${size} ${mtimeMs}`;
  });
  return Promise.all(stats);
}
