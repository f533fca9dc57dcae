import type { Random } from "@colophon/testing/pictures.ts";

/** What a misbehaving account has at hand. */
export interface Attack {
  readonly baseUrl: string;
  readonly token: string;
  /** Encoded pictures that the account has registered. */
  readonly registered: readonly Uint8Array[];
  readonly random: Random;
  /** Ends the behaviour. */
  readonly signal: AbortSignal;
  /** Says that preparations are over and the first request is on its way. */
  readonly started: () => void;
  /** Counts an answer's status, or what became of a request without one. */
  readonly count: (what: string) => void;
}

/** One way to make life hard for others; goes on until the signal. */
export type Behaviour = (attack: Attack) => Promise<void>;

/** Runs `work` in `lanes` side by side, over and over until the signal; what a broken connection throws is counted. */
export async function repeatedly(
  attack: Attack,
  lanes: number,
  work: (lane: number) => Promise<void>,
): Promise<void> {
  attack.started();
  const loop = async (lane: number): Promise<void> => {
    while (!attack.signal.aborted) {
      try {
        await work(lane);
      } catch {
        attack.count("broken");
        await pause(attack.signal, 50);
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => loop(lane)));
}

/** Waits, or less when the signal comes. */
export function pause(signal: AbortSignal, milliseconds: number): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
  });
}
