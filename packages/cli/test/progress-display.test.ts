import type { BatchProgress } from "@colophon/client";
import { describe, expect, it } from "vitest";
import { ProgressDisplay } from "../src/progress-display.ts";

const START: BatchProgress = {
  phase: "hashing",
  slotId: null,
  files: 10,
  hashed: 0,
  images: 0,
  alreadyHeld: 0,
  sent: 0,
  bytes: 0,
  bytesDone: 0,
};

const BATCH: readonly BatchProgress[] = [
  START,
  { ...START, hashed: 10, images: 10, bytes: 10e6 },
  { ...START, phase: "uploading", slotId: "s", hashed: 10, images: 10, bytes: 10e6 },
  ...[2, 4, 6, 8].map(
    (done): BatchProgress => ({
      ...START,
      phase: "uploading",
      hashed: 10,
      images: 10,
      alreadyHeld: 2,
      sent: done - 2,
      bytes: 10e6,
      bytesDone: done * 1e6,
    }),
  ),
  {
    ...START,
    phase: "committing",
    hashed: 10,
    images: 10,
    alreadyHeld: 2,
    sent: 8,
    bytes: 10e6,
    bytesDone: 10e6,
  },
];

/** What the display writes about the batch, one step a second. */
function written(screen: { readonly isTTY: boolean; readonly columns?: number }): string[] {
  const texts: string[] = [];
  let seconds = 0;
  const write = (text: string): number => texts.push(text);
  using display = new ProgressDisplay({ ...screen, write }, () => seconds * 1000);
  for (const step of BATCH) {
    display.update(step);
    seconds += 1;
  }
  return texts;
}

describe("the progress of a batch", () => {
  it("is told in plain lines where there is no terminal", () => {
    expect(written({ isTTY: false })).toEqual([
      "Hashing 10 files.\n",
      "Uploaded 20 %, 0 of 8 images sent, 2 held already.\n",
      "Uploaded 40 %, 2 of 8 images sent, 2 held already, 2.0 MB/s, 3 s left.\n",
      "Uploaded 60 %, 4 of 8 images sent, 2 held already, 2.0 MB/s, 2 s left.\n",
      "Uploaded 80 %, 6 of 8 images sent, 2 held already, 2.0 MB/s, 1 s left.\n",
      "Committing 10 images.\n",
    ]);
  });

  it("is a bar on a terminal, never wider than it, and gone in the end", () => {
    const lines = written({ isTTY: true, columns: 60 }).map((text) => text.replace("\r\u001b[2K", ""));
    expect(lines.at(4)).toBe("uploading [##########--------------] 40 % 2 of 8 images sen");
    expect(lines.every((line) => line.length < 60 && !line.includes("\n"))).toBe(true);
    expect(lines.at(-1)).toBe("");
  });
});
