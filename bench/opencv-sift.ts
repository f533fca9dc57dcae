/**
 * The yardstick of what finding and describing points costs: OpenCV's SIFT (Debian's python3-opencv) in one thread,
 * processor time, the fastest of some rounds.
 */
import { spawnSync } from "node:child_process";
import type { Luma } from "@colophon/engine/lab";

const PROGRAM = `
import json, math, sys, time, numpy, cv2
cv2.setNumThreads(1)
frames = sys.stdin.buffer
while True:
    head = frames.read(16)
    if len(head) < 16: break
    width, height, points, rounds = numpy.frombuffer(head, numpy.int32)
    grey = numpy.frombuffer(frames.read(width * height), numpy.uint8).reshape(height, width)
    sift = cv2.SIFT_create(nfeatures=int(points), contrastThreshold=0.01)
    best, found = 1e9, []
    for _ in range(rounds + 1):
        start = time.process_time()
        found = sift.detectAndCompute(grey, None)[0]
        best = min(best, time.process_time() - start)
    # OpenCV 4.6 places points a quarter of a pixel too far right and down: it forgets where doubling puts its samples.
    points = [(p.pt[0] - 0.25, p.pt[1] - 0.25, p.size, math.radians(p.angle)) for p in found]
    print(json.dumps({"milliseconds": best * 1000, "points": points}))
`;

export type Point = readonly [x: number, y: number, size: number, angle: number];

/** What OpenCV took for one raster, and the points it found. */
export interface Yardstick {
  readonly milliseconds: number;
  readonly points: readonly Point[];
}

/** OpenCV's times and points for the rasters, at most `points` each, or null without it. */
export function measureOpenCv(
  rasters: readonly Luma[],
  { points, rounds, python }: { readonly points: number; readonly rounds: number; readonly python: string },
): Yardstick[] | null {
  const input = rasters.flatMap(({ width, height, data }) => [
    new Uint8Array(Int32Array.of(width, height, points, rounds).buffer),
    data,
  ]);
  const { status, stdout } = spawnSync(python, ["-c", PROGRAM], {
    input: Buffer.concat(input),
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) return null;
  const lines = stdout.toString().trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Yardstick);
}
