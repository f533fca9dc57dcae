import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { WorkerThread } from "../../src/worker/worker-thread.ts";

/** A worker that echoes, throws, leaves or spins, as the job says. */
const script = `
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", ({ say, fault }) => {
    if (fault === "throw") throw new Error(say);
    if (fault === "exit") process.exit(3);
    if (fault === "spin") for (;;);
    parentPort.postMessage(say);
  });
`;

interface Job {
  readonly say: string;
  readonly fault?: "throw" | "exit" | "spin";
}

function open(jobSeconds = 60): WorkerThread<Job, string> {
  return new WorkerThread({ start: () => new Worker(script, { eval: true, stderr: true }), jobSeconds });
}

describe("worker thread", () => {
  it.each(["throw", "exit"] as const)("is replaced when it dies: %s", async (fault) => {
    await using thread = open();
    expect(await thread.run({ say: "before" }, [])).toEqual({ outcome: "answered", answer: "before" });
    expect(await thread.run({ say: "x", fault }, [])).toEqual({ outcome: "lost", slow: false });
    expect(await thread.run({ say: "after" }, [])).toEqual({ outcome: "answered", answer: "after" });
  });

  it("is ended when its job takes too long, and replaced", async () => {
    await using thread = open(4);
    expect(await thread.run({ say: "x", fault: "spin" }, [])).toEqual({ outcome: "lost", slow: true });
    expect(await thread.run({ say: "after" }, [])).toEqual({ outcome: "answered", answer: "after" });
  });
});
