import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { WorkerPool } from "../src/pool.ts";

/** A worker that echoes, waits, throws or leaves, as the job says. */
const script = `
  const { parentPort, workerData } = require("node:worker_threads");
  parentPort.on("message", ({ say, wait, fault }) => {
    if (fault === "throw") throw new Error(say);
    if (fault === "exit") process.exit(3);
    if (fault === "spin") for (;;);
    setTimeout(() => parentPort.postMessage(say + " " + workerData), wait ?? 0);
  });
`;

interface Job {
  readonly say: string;
  readonly wait?: number;
  readonly fault?: "throw" | "exit" | "spin";
}

const ended: number[] = [];

function openPool(workers: number, queueLimit: number, jobSeconds = 30): WorkerPool<Job, string> {
  return new WorkerPool<Job, string>({
    workers,
    queueLimit,
    jobSeconds,
    start: (place) => new Worker(script, { eval: true, workerData: place, stderr: true }),
    ended: (place) => ended.push(place),
  });
}

afterEach(() => {
  ended.length = 0;
});

describe("worker pool", () => {
  it("answers every job, however many wait", async () => {
    await using pool = openPool(2, 100);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => pool.run({ say: `${i}` }, false)));
    expect(answers.map((answer) => answer.outcome === "answered" && answer.answer.split(" ")[0])).toEqual(
      answers.map((_, i) => `${i}`),
    );
  });

  it("is busy past its limit, says for how long, and recovers", async () => {
    await using pool = openPool(1, 2);
    const jobs = Array.from({ length: 6 }, (_, i) => pool.run({ say: `${i}`, wait: 50 }, false));
    const outcomes = (await Promise.all(jobs)).map((answer) => answer.outcome);
    expect(outcomes).toEqual(["answered", "answered", "answered", "busy", "busy", "busy"]);
    expect(await jobs[5]).toEqual({ outcome: "busy", retryAfterSeconds: 2 });
    expect((await pool.run({ say: "later" }, false)).outcome).toBe("answered");
  });

  it("takes urgent jobs first, with a queue of their own", async () => {
    await using pool = openPool(1, 1);
    const order: string[] = [];
    const run = async (say: string, urgent: boolean): Promise<void> => {
      const answer = await pool.run({ say, wait: 20 }, urgent);
      order.push(answer.outcome === "answered" ? say : answer.outcome);
    };
    await Promise.all([run("first", false), run("waiting", false), run("urgent", true), run("more", false)]);
    expect(order).toEqual(["busy", "first", "urgent", "waiting"]);
  });

  it.each(["throw", "exit"] as const)("replaces a worker that dies: %s", async (fault) => {
    await using pool = openPool(1, 10);
    expect((await pool.run({ say: "before" }, false)).outcome).toBe("answered");
    const [lost, next] = await Promise.all([
      pool.run({ say: "x", fault }, false),
      pool.run({ say: "after" }, false),
    ]);
    expect(lost).toEqual({ outcome: "lost", slow: false });
    expect(next).toEqual({ outcome: "answered", answer: "after 0" });
    expect(ended).toEqual([0]);
  });

  it("ends a worker that takes too long and goes on with another", async () => {
    await using pool = openPool(1, 10, 4);
    const [lost, next] = await Promise.all([
      pool.run({ say: "x", fault: "spin" }, false),
      pool.run({ say: "after" }, false),
    ]);
    expect(lost).toEqual({ outcome: "lost", slow: true });
    expect(next).toEqual({ outcome: "answered", answer: "after 0" });
  });

  it("finishes what runs and turns away what waits when it is closed", async () => {
    const pool = openPool(1, 10);
    const running = pool.run({ say: "running", wait: 50 }, false);
    const waiting = pool.run({ say: "waiting" }, false);
    await pool[Symbol.asyncDispose]();
    expect([(await running).outcome, (await waiting).outcome]).toEqual(["answered", "busy"]);
    expect(() => pool.run({ say: "late" }, false)).toThrow("closed");
    expect(ended).toEqual([0]);
  });
});
