import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterEach, expect, it } from "vitest";
import { PixelBudget } from "../src/pixel-budget.ts";

/** Reserves at each message, says so, and gives the pixels back at the message after. */
const script = `
  const { parentPort, workerData } = require("node:worker_threads");
  import(workerData.module).then(({ PixelBudget }) => {
    const budget = new PixelBudget(workerData.shared);
    let held = null;
    parentPort.on("message", (pixels) => {
      if (held !== null) held[Symbol.dispose]();
      held = pixels === 0 ? null : budget.reserve(workerData.place, pixels);
      parentPort.postMessage(pixels);
    });
  });
`;

const workers: Worker[] = [];

function open(shared: SharedArrayBuffer, place: number): Worker {
  const module = new URL("../src/pixel-budget.ts", import.meta.url).href;
  const worker = new Worker(script, { eval: true, workerData: { module, shared, place } });
  workers.push(worker);
  return worker;
}

async function ask(worker: Worker, pixels: number): Promise<void> {
  const answer = once(worker, "message");
  worker.postMessage(pixels, []);
  await answer;
}

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.terminate()));
});

it("lets small pictures in together and makes large ones wait", async () => {
  const shared = PixelBudget.allocate(3);
  const [a, b, c] = [open(shared, 0), open(shared, 1), open(shared, 2)];
  await Promise.all([ask(a, 20e6), ask(b, 20e6)]);
  let entered = false;
  const large = ask(c, 200e6).then(() => (entered = true));
  await ask(a, 0);
  expect(entered).toBe(false);
  await ask(b, 0);
  await large;
  expect(entered).toBe(true);
});

it("takes back what a dead worker held", async () => {
  const shared = PixelBudget.allocate(2);
  const [a, b] = [open(shared, 0), open(shared, 1)];
  await ask(a, 60e6);
  const waiting = ask(b, 60e6);
  await a.terminate();
  new PixelBudget(shared).release(0);
  expect(await waiting).toBe(undefined);
});
