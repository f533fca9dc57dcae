/** Aborted by the first SIGINT: a long run then asks no more and reports what it has. */
export function untilInterrupted(): AbortSignal {
  const controller = new AbortController();
  process.once("SIGINT", () => controller.abort());
  return controller.signal;
}
