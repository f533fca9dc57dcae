import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LoopPace, type Share } from "../../src/http/pace/loop-pace.ts";

const account = (key: string): Share => ({ key, isStranger: false });
const stranger = (key: string): Share => ({ key, isStranger: true });

/** What the clock says while a test asks, however long the machine keeps it from asking on, ms. */
let now = 0;

beforeEach(() => {
  now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => now);
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Asks for turns and notes in which order they come. */
class Asked {
  readonly pace = new LoopPace();
  readonly order: string[] = [];
  readonly #asked: Promise<unknown>[] = [];

  /** @param connection a new one, unless it is given */
  ask(share: Share, milliseconds: number, connection: object = {}, name = share.key): void {
    this.#asked.push(this.pace.turn(share, milliseconds, connection).then(() => this.order.push(name)));
  }

  /** Lets the clock go on until all have had their turn. */
  async all(): Promise<readonly string[]> {
    vi.restoreAllMocks();
    await Promise.all(this.#asked);
    return this.order;
  }
}

/** Lets a millisecond go by. */
async function settled(): Promise<void> {
  now += 1;
  await new Promise((resolve) => setImmediate(resolve));
}

describe("a share of the event loop", () => {
  test("takes all it wants while it is alone", async () => {
    const asked = new Asked();
    for (let turn = 0; turn < 100; turn += 1) asked.ask(account("a"), 1_000);
    await settled();
    expect(asked.order).toHaveLength(100);
  });

  test("waits beside another when it has had its part, and the other does not wait for it", async () => {
    const asked = new Asked();
    asked.ask(account("quiet"), 1);
    asked.ask(account("greedy"), 15);
    for (let turn = 0; turn < 4; turn += 1) asked.ask(account("greedy"), 100);
    await settled();
    asked.ask(account("quiet"), 1);
    await settled();
    expect(asked.order).toEqual(["quiet", "greedy", "quiet"]);
    expect(await asked.all()).toHaveLength(7);
  });

  test("waits for what it took besides", async () => {
    const asked = new Asked();
    asked.ask(account("quiet"), 1);
    asked.ask(account("greedy"), 1);
    await settled();
    asked.pace.took(account("greedy"), 500);
    asked.ask(account("greedy"), 1);
    asked.ask(account("quiet"), 1);
    await settled();
    expect(asked.order).toEqual(["quiet", "greedy", "quiet"]);
    expect(await asked.all()).toHaveLength(4);
  });

  test("is no larger for all strangers together than for one account", async () => {
    const asked = new Asked();
    asked.ask(account("a"), 1);
    for (let address = 0; address < 9; address += 1) asked.ask(stranger(`192.0.2.${address}`), 1);
    await settled();
    asked.ask(stranger("192.0.2.0"), 50);
    asked.ask(account("a"), 100);
    expect((await asked.all()).slice(-2)).toEqual(["a", "192.0.2.0"]);
  });

  test("goes to new connections first, and then to those that had none for longest", async () => {
    const asked = new Asked();
    const [one, other, fresh] = [{}, {}, {}];
    asked.ask(account("somebody else"), 1);
    asked.ask(stranger("192.0.2.1"), 1, one, "one");
    await settled();
    asked.ask(stranger("192.0.2.1"), 1, other, "other");
    await settled();
    asked.ask(stranger("192.0.2.1"), 100, {}, "large");
    await settled();
    asked.ask(stranger("192.0.2.1"), 100, other, "other again");
    asked.ask(stranger("192.0.2.1"), 100, one, "one again");
    asked.ask(stranger("192.0.2.1"), 1, fresh, "fresh");
    expect(await asked.all()).toEqual([
      "somebody else",
      "one",
      "other",
      "large",
      "fresh",
      "one again",
      "other again",
    ]);
  });

  test("is waited for no longer once the service stops", async () => {
    const asked = new Asked();
    asked.ask(account("a"), 1);
    asked.ask(account("b"), 100_000);
    await settled();
    expect(asked.order).toEqual(["a"]);
    asked.pace.close();
    asked.ask(account("b"), 100_000);
    await settled();
    expect(asked.order).toEqual(["a", "b", "b"]);
  });
});
