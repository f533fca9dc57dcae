import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { Failure } from "../failure.ts";
import { jpegFiles } from "./jpeg-stream.ts";
import { shown } from "../shown.ts";

/** Which of a video's frames are taken; all of them when neither is given. */
export interface FrameChoice {
  /** Every so many frames one. */
  readonly every?: number | undefined;
  /** So many frames a second, whatever the video's rate. */
  readonly fps?: number | undefined;
}

interface Probe {
  readonly streams?: readonly {
    readonly nb_frames?: string;
    readonly avg_frame_rate?: string;
    readonly duration?: string;
  }[];
  readonly format?: { readonly duration?: string };
}

/** The second best of the encoder's 31 qualities; the best is far larger and shows no more. */
const QUALITY = "2";
/** What the filter showinfo says of a frame: its number, from 0, and when it is shown. */
const SHOWN_AT = /^\[Parsed_showinfo.*\] n: *(\d+) .*pts_time:([\d.]+)/;
const NEEDS =
  "A video needs ffmpeg and ffprobe on the PATH: install ffmpeg, or name a folder of stills instead.";

/**
 * The frames of a video as JPEG files, decoded again each time they are read. They come through a pipe, so no frame is
 * ever in a file.
 */
export class VideoFrames implements AsyncIterable<Uint8Array> {
  /** About how many there are. */
  readonly expected: number;
  /** When each frame is shown, in seconds from the start, as far as frames have been read. */
  readonly seconds: number[] = [];
  readonly #path: string;
  readonly #filter: string;

  private constructor(path: string, filter: string, expected: number) {
    this.#path = path;
    this.#filter = filter;
    this.expected = expected;
  }

  /** @throws Failure (usage) when there is no ffmpeg, or the file is no video */
  static async of(path: string, { every = 1, fps }: FrameChoice): Promise<VideoFrames> {
    const { frames, seconds } = await probe(path);
    const taken = fps === undefined ? frames / every : seconds * fps;
    const filter = fps === undefined ? `select=not(mod(n\\,${every}))` : `fps=${fps}`;
    return new VideoFrames(path, `${filter},showinfo=checksum=0`, Math.ceil(taken));
  }

  /** @throws Failure (usage) when ffmpeg does not read the video to its end */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const output = [
      "-fps_mode",
      "passthrough",
      "-c:v",
      "mjpeg",
      "-q:v",
      QUALITY,
      "-f",
      "image2pipe",
      "pipe:1",
    ];
    const ffmpeg = spawn(
      "ffmpeg",
      [
        "-nostdin",
        "-hide_banner",
        "-nostats",
        "-i",
        `file:${this.#path}`,
        "-map",
        "0:v:0",
        "-vf",
        this.#filter,
        ...output,
      ],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    createInterface(ffmpeg.stderr).on("line", (line) => {
      const [, frame, seconds] = SHOWN_AT.exec(line) ?? [];
      if (frame !== undefined) this.seconds[Number(frame)] = Number(seconds);
    });
    const exitCode = once(ffmpeg, "close").then(
      ([code]: unknown[]) => code,
      () => null,
    );
    try {
      yield* jpegFiles(ffmpeg.stdout);
      if ((await exitCode) !== 0) {
        throw Failure.usage(`ffmpeg cannot read ${shown(this.#path)} to its end; what it read is kept.`);
      }
    } finally {
      ffmpeg.kill();
      await exitCode;
    }
  }
}

/** About how many frames a video has, and how long it is. @throws Failure (usage) */
async function probe(path: string): Promise<{ frames: number; seconds: number }> {
  const entries = "stream=nb_frames,avg_frame_rate,duration:format=duration";
  const question = ["-v", "error", "-select_streams", "v:0", "-show_entries", entries, "-of", "json"];
  const answers = [
    promisify(execFile)("ffprobe", [...question, `file:${path}`]),
    promisify(execFile)("ffmpeg", ["-version"]),
  ] as const;
  const [answer] = await Promise.all(answers).catch((error: unknown) => {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw missing ? Failure.usage(NEEDS) : noVideo(path);
  });
  const { streams: [stream] = [], format }: Probe = JSON.parse(answer.stdout);
  if (stream === undefined) throw noVideo(path);
  const seconds = Number(stream.duration ?? format?.duration ?? 0);
  const [over = 0, under = 1] = (stream.avg_frame_rate ?? "").split("/").map(Number);
  const rate = under > 0 ? over / under : 0;
  return { frames: Number(stream.nb_frames ?? Math.round(seconds * rate)), seconds };
}

function noVideo(path: string): Failure {
  return Failure.usage(`${shown(path)} is not a video that ffmpeg reads.`);
}
