import { describe, expect, test } from "vitest";
import { BESIDE_OTHERS, ConnectionTurns, MOST_WAITING } from "../../src/store/connection-turns.ts";

const PATIENCE_MS = 60_000;

/** Asks for connections and notes by whom they were had, in order. */
class Asked {
  readonly turns: ConnectionTurns;
  readonly had: string[] = [];
  readonly #ends: (() => void)[] = [];

  constructor(connections: number, patienceMs = PATIENCE_MS) {
    this.turns = new ConnectionTurns(connections, patienceMs);
  }

  async take(count: number, share: string | null): Promise<void> {
    for (let i = 0; i < count; i += 1) {
      void this.turns.take(share).then((end) => {
        this.had.push(share ?? "own");
        return this.#ends.push(end);
      });
    }
    await settled();
  }

  /** Gives back the connection that was had first. */
  async giveBack(): Promise<void> {
    this.#ends.shift()?.();
    await settled();
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("connections", () => {
  test("go to an account as far as it leaves as many free, and a few beside another at work", async () => {
    const asked = new Asked(16);
    await asked.take(20, "a");
    expect(asked.had).toHaveLength(8);
    await asked.take(20, "b");
    expect(asked.had.filter((share) => share === "b")).toHaveLength(BESIDE_OTHERS);
    for (let i = 0; i < 8; i += 1) await asked.giveBack();
    expect(asked.had.filter((share) => share === "a")).toHaveLength(8 + BESIDE_OTHERS);
  });

  test("go to the account that has the fewest, and in turn among equals, when all waits", async () => {
    const asked = new Asked(4);
    await asked.take(9, "many");
    await asked.take(2, "few");
    expect(asked.had).toEqual(["many", "many", "few"]);
    await asked.take(2, "third");
    for (let i = 0; i < 6; i += 1) await asked.giveBack();
    expect(asked.had.slice(3)).toEqual(["third", "many", "few", "third", "many"]);
  });

  test("go to the service's own work before any account's, and all of them if need be", async () => {
    const asked = new Asked(2);
    await asked.take(3, "a");
    expect(asked.had).toEqual(["a"]);
    await asked.take(2, null);
    expect(asked.had).toEqual(["a", "own"]);
    await asked.giveBack();
    expect(asked.had).toEqual(["a", "own", "own"]);
  });

  test("are had by an account that has none though there is a single one", async () => {
    const asked = new Asked(1);
    await asked.take(3, "a");
    await asked.take(2, "b");
    for (let i = 0; i < 4; i += 1) await asked.giveBack();
    expect(asked.had).toEqual(["a", "a", "b", "a", "b"]);
  });

  test("are refused, as by a database without any, past a bound for each account", async () => {
    const asked = new Asked(1);
    await asked.take(1 + MOST_WAITING, "a");
    await expect(asked.turns.take("a")).rejects.toMatchObject({ code: "53300" });
    await asked.take(1, "b");
    for (let i = 0; i < 2 + MOST_WAITING; i += 1) await asked.giveBack();
    expect(asked.had).toHaveLength(2 + MOST_WAITING);
  });

  test("are refused to work that has waited for too long, which then waits no more", async () => {
    const asked = new Asked(1, 10);
    await asked.take(1, "a");
    await expect(asked.turns.take("b")).rejects.toMatchObject({ code: "53300" });
    await asked.giveBack();
    await asked.take(1, "c");
    expect(asked.had).toEqual(["a", "c"]);
  });
});
