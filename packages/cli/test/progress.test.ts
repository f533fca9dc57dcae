import type { BatchProgress, SequenceProgressReport } from "@colophon/client";
import { describe, expect, it } from "vitest";
import { batchStep } from "../src/progress/batch-step.ts";
import { ProgressBar } from "../src/progress/progress-bar.ts";
import { sequenceStep } from "../src/progress/sequence-step.ts";

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
  settled: 0,
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
  ...[0, 4, 8].map(
    (settled): BatchProgress => ({
      ...START,
      phase: "committing",
      hashed: 10,
      images: 10,
      alreadyHeld: 2,
      sent: 8,
      bytes: 10e6,
      bytesDone: 10e6,
      settled,
    }),
  ),
];

const SENDING: SequenceProgressReport = {
  phase: "sending",
  sequence: { sequenceId: "s", ticket: "t", leftOut: [] },
  frames: 0,
  alreadyHeld: 0,
  sent: 0,
  errata: 0,
};

/** What the bar writes about the batch, one step a second. */
function written(screen: { readonly isTTY: boolean; readonly columns?: number }): string[] {
  const texts: string[] = [];
  let seconds = 0;
  const write = (text: string): number => texts.push(text);
  using bar = new ProgressBar({ ...screen, write }, () => seconds * 1000);
  for (const progress of BATCH) {
    bar.show(batchStep(progress));
    seconds += 1;
  }
  return texts;
}

describe("the progress of a batch", () => {
  it("says nothing of a commit where every image was refused", () => {
    const refused = { ...START, phase: "committing", slotId: "s", hashed: 10, images: 10 } as const;
    expect(batchStep(refused)).not.toHaveProperty("opening");
    expect(batchStep({ ...refused, sent: 1 })).toHaveProperty("opening", "Committing 10 images.");
  });

  it("is shown in plain lines where there is no terminal", () => {
    expect(written({ isTTY: false })).toEqual([
      "Hashing 10 files.\n",
      "Uploaded 20 %, 0 of 8 images sent, 2 sent before.\n",
      "Uploaded 40 %, 2 of 8 images sent, 2 sent before, 2.0 MB/s, 3 s left.\n",
      "Uploaded 60 %, 4 of 8 images sent, 2 sent before, 2.0 MB/s, 2 s left.\n",
      "Uploaded 80 %, 6 of 8 images sent, 2 sent before, 2.0 MB/s, 1 s left.\n",
      "Committing 10 images.\n",
      "Committed 40 %, 4 of 10 images, 4.0 images/s, 2 s left.\n",
      "Committed 80 %, 8 of 10 images, 4.0 images/s, 1 s left.\n",
    ]);
  });

  it("is a bar on a terminal, never wider than it, and gone in the end", () => {
    const lines = written({ isTTY: true, columns: 60 }).map((text) => text.replace("\r\u001b[2K", ""));
    expect(lines.at(4)).toBe("uploading [##########--------------] 40 % 2 of 8 images sen");
    expect(lines.every((line) => line.length < 60 && !line.includes("\n"))).toBe(true);
    expect(lines.at(-1)).toBe("");
  });
});

it("the progress of a sequence is counted in frames, and never passes what was expected", () => {
  const texts: string[] = [];
  let seconds = 0;
  const write = (text: string): number => texts.push(text);
  using bar = new ProgressBar({ write }, () => seconds * 1000);
  const steps: SequenceProgressReport[] = [
    SENDING,
    { ...SENDING, frames: 2, alreadyHeld: 2 },
    { ...SENDING, frames: 8, alreadyHeld: 2, sent: 4 },
    { ...SENDING, frames: 12, alreadyHeld: 2, sent: 11 },
    { ...SENDING, phase: "committing", frames: 12, alreadyHeld: 2, sent: 11 },
  ];
  for (const step of steps) {
    bar.show(sequenceStep(step, 10));
    seconds += 2;
  }
  expect(texts).toEqual([
    "Sent 20 %, 0 of 8 frames sent, 2 sent before.\n",
    "Sent 60 %, 4 of 8 frames sent, 2 sent before, 2.0 frames/s, 2 s left.\n",
    "Sent 100 %, 10 of 10 frames sent, 2 sent before, 2.5 frames/s, 0 s left.\n",
    "Committing 12 frames.\n",
  ]);
});

it("says that nothing was sent where all was refused", () => {
  let said = "";
  using bar = new ProgressBar({ isTTY: false, write: (text) => (said += text) });
  bar.show(batchStep({ ...START, phase: "uploading", images: 1, bytes: 9 }));
  bar.show(batchStep({ ...START, phase: "uploading", images: 1, bytes: 9, bytesDone: 9 }));
  expect(said).toContain("Nothing sent.\n");
  expect(said).not.toContain("100 %");
});
