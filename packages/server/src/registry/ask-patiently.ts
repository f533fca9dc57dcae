import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "@colophon/contract";
import type { NotYet } from "../engine/port.ts";

/** How often the engine is asked for one image before it is given up on for now. */
const ATTEMPTS = 5;
const LONGEST_WAIT_SECONDS = 5;

/**
 * Asks the engine for one image of a batch, and again after the time it names while it has no capacity: a batch can
 * wait where a single caller would be told to come again.
 */
export async function askPatiently<T extends { readonly outcome: string }>(
  ask: () => Promise<T | NotYet>,
): Promise<T | NotYet> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask();
    if (!isNotYet(answer) || attempt === ATTEMPTS) return answer;
    await sleep(1000 * Math.min(LONGEST_WAIT_SECONDS, answer.retryAfterSeconds));
  }
}

/** A refusal for want of capacity, as the answer it is to a batch. @throws the error itself for any other */
export function notYetOf(error: unknown): NotYet {
  if (!(error instanceof Refusal) || error.code !== "serviceUnavailable") throw error;
  return { outcome: "notYet", retryAfterSeconds: Number(error.extensions["retryAfterSeconds"] ?? 1) };
}

function isNotYet(answer: { readonly outcome: string }): answer is NotYet {
  return answer.outcome === "notYet";
}
