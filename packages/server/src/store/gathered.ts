import { onBehalfOfAll } from "./fair-pool.ts";

/**
 * Asks together what is asked at the same time: one statement for all that wait, and one such statement at a time. So
 * however often it is asked takes one connection of the database, costs the less the more ask, and every answer is as
 * new as its question.
 */
export class Gathered<Answer> {
  readonly #ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Answer>>;
  #waiting = new Map<string, PromiseWithResolvers<Answer | null>>();
  #isWorking = false;

  /** @param ask is given each key once */
  constructor(ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Answer>>) {
    this.#ask = ask;
  }

  /** The answer for a key; null where there is none. Rejects with what the statement failed of. */
  get(key: string): Promise<Answer | null> {
    const answer = this.#waiting.get(key) ?? Promise.withResolvers();
    this.#waiting.set(key, answer);
    if (!this.#isWorking) void onBehalfOfAll(() => this.#work());
    return answer.promise;
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    while (this.#waiting.size > 0) {
      const batch = this.#waiting;
      this.#waiting = new Map();
      try {
        const answers = await this.#ask([...batch.keys()]);
        for (const [key, answer] of batch) answer.resolve(answers.get(key) ?? null);
      } catch (error) {
        for (const answer of batch.values()) answer.reject(error);
      }
    }
    this.#isWorking = false;
  }
}
