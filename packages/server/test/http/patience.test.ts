import { describe, expect, test } from "vitest";
import { LONGEST_WAIT_MS, Patience } from "../../src/http/body/patience.ts";

const SILENCE_MS = 30_000;
const STEP_BYTES = 65_536;
const STEP_MS = 10_000;

describe("the patience with a body", () => {
  test("lasts as long as nothing comes, and ends", () => {
    const patience = new Patience({ silenceMs: SILENCE_MS });
    expect(patience.left).toBe(SILENCE_MS);
    patience.received(0, 20_000);
    expect(patience.left).toBe(10_000);
    patience.received(0, 10_000);
    expect(patience.left).toBe(0);
  });

  test("is kept up by 64 KiB in 10 seconds, and used up by less", () => {
    const [steady, trickling] = [
      new Patience({ silenceMs: SILENCE_MS }),
      new Patience({ silenceMs: SILENCE_MS }),
    ];
    for (let step = 0; step < 100; step += 1) {
      steady.received(STEP_BYTES, STEP_MS);
      trickling.received(1, STEP_MS / 100);
    }
    expect(steady.left).toBe(SILENCE_MS);
    expect(trickling.left).toBeCloseTo(SILENCE_MS - STEP_MS + (100 * STEP_MS) / STEP_BYTES);
  });

  test("is not saved up by sending fast", () => {
    const patience = new Patience({ silenceMs: SILENCE_MS });
    patience.received(2 ** 26, 1);
    expect(patience.left).toBe(SILENCE_MS);
  });

  test("ends after an hour of waiting, however much comes", () => {
    const patience = new Patience({ silenceMs: SILENCE_MS });
    for (let waited = 0; waited < LONGEST_WAIT_MS; waited += STEP_MS) {
      expect(patience.left).toBeGreaterThan(0);
      patience.received(STEP_BYTES, STEP_MS);
    }
    expect(patience.left).toBe(0);
  });
});
