/** The process of one stranger with many connections, which `crowds.ts` starts and tells what to do. */
import { opener, SHAPES } from "./crowd-shapes.ts";

/** What the process is told. */
export interface Order {
  readonly baseUrl: string;
  readonly shape: string;
  readonly connections: number;
  readonly requests: number;
  readonly from: string;
}

async function crowd(
  { baseUrl, shape, connections, requests, from }: Order,
  signal: AbortSignal,
): Promise<void> {
  const open = opener(baseUrl, from);
  const run = SHAPES[shape];
  if (run === undefined) throw new Error(`No shape is called ${shape}.`);
  const running = Array.from({ length: connections }, () => run({ open, signal, requests }));
  process.send?.("begun");
  await Promise.all(running);
}

const controller = new AbortController();
process.once("disconnect", () => {
  controller.abort();
  process.exit();
});
process.once("message", (order: Order) => void crowd(order, controller.signal));
