import { describe, expect, it } from "vitest";
import { RecentShares } from "../../src/worker/recent-shares.ts";
import { type Busy, type Claim, type Turn, Turns } from "../../src/worker/turns.ts";

const claim = (share: string, of: Partial<Claim> = {}): Claim => ({
  share,
  urgent: false,
  large: false,
  ...of,
});

/**
 * Takes turns in the order given and notes in which order they are given out; one place is busy with "first" until
 * `begin`.
 */
class Line {
  readonly turns = new Turns({ places: 1, queueLimit: 4 });
  readonly order: string[] = [];
  readonly done: Promise<void>[] = [];

  ask(name: string, by: Claim): void {
    this.done.push(
      this.turns.take(by).then((answer) => {
        this.order.push(answer.outcome === "busy" ? `${name} busy` : name);
        if (answer.outcome === "turn") queueMicrotask(() => answer[Symbol.dispose]());
        return undefined;
      }),
    );
  }
}

async function turn(turns: Turns, by: Claim): Promise<Turn> {
  const answer = await turns.take(by);
  if (answer.outcome === "busy") throw new Error("There was no turn.");
  return answer;
}

describe("turns", () => {
  it("gives each place to one claim at a time", async () => {
    const turns = new Turns({ places: 2, queueLimit: 9 });
    const [a, b] = [await turn(turns, claim("a")), await turn(turns, claim("a"))];
    expect(new Set([a.place, b.place])).toEqual(new Set([0, 1]));
    let third: Turn | Busy | null = null;
    const waiting = turns.take(claim("a")).then((answer) => (third = answer));
    await Promise.resolve();
    expect(third).toBe(null);
    b[Symbol.dispose]();
    b[Symbol.dispose]();
    expect(await waiting).toMatchObject({ outcome: "turn", place: b.place });
    a[Symbol.dispose]();
  });

  it("gives a free place to the share that has none, however many of another came first", async () => {
    const turns = new Turns({ places: 2, queueLimit: 9 });
    const first = await turn(turns, claim("many"));
    await turn(turns, claim("many"));
    const order: string[] = [];
    const note = (name: string) => (): number => order.push(name);
    void turns.take(claim("many")).then(note("many"));
    void turns.take(claim("few")).then(note("few"));
    first[Symbol.dispose]();
    await new Promise(setImmediate);
    expect(order).toEqual(["few"]);
  });

  it("keeps a place free for others while they are at work, and gives all to a share that is alone", async () => {
    let now = 0;
    const turns = new Turns({ places: 2, queueLimit: 9 }, new RecentShares(() => now));
    const other = await turn(turns, claim("other"));
    other[Symbol.dispose]();
    const first = await turn(turns, claim("many"));
    let second: Turn | Busy | null = null;
    const waiting = turns.take(claim("many")).then((answer) => (second = answer));
    await new Promise(setImmediate);
    expect(second).toBe(null);
    (await turn(turns, claim("other")))[Symbol.dispose]();
    await new Promise(setImmediate);
    expect(second).toBe(null);
    now += 60_000;
    const third = turn(turns, claim("many"));
    expect(await waiting).toMatchObject({ outcome: "turn" });
    first[Symbol.dispose]();
    expect(await third).toMatchObject({ outcome: "turn" });
  });

  it("goes round the shares, each in its own order, urgent claims of a share first", async () => {
    const line = new Line();
    const held = await turn(line.turns, claim("a"));
    line.ask("a1", claim("a"));
    line.ask("a2", claim("a", { urgent: true }));
    line.ask("b1", claim("b"));
    line.ask("b2", claim("b"));
    line.ask("c1", claim("c", { urgent: true }));
    held[Symbol.dispose]();
    await Promise.all(line.done);
    expect(line.order).toEqual(["b1", "c1", "a2", "b2", "a1"]);
  });

  it("turns away the share that fills the queue, not the one that comes last", async () => {
    const line = new Line();
    const held = await turn(line.turns, claim("a"));
    for (const name of ["a1", "a2", "a3", "a4"]) line.ask(name, claim("a"));
    line.ask("b1", claim("b"));
    line.ask("b2", claim("b"));
    line.ask("a5", claim("a"));
    await new Promise(setImmediate);
    expect(line.order).toEqual(["a4 busy", "a3 busy", "a5 busy"]);
    held[Symbol.dispose]();
    await Promise.all(line.done);
    expect(line.order.slice(3).toSorted()).toEqual(["a1", "a2", "b1", "b2"]);
  });

  it("gives large claims one place among all, and the others to small ones", async () => {
    const turns = new Turns({ places: 2, queueLimit: 9 });
    const large = await turn(turns, claim("a", { large: true }));
    let second = false;
    const waiting = turns.take(claim("b", { large: true })).then((answer) => {
      second = true;
      return answer;
    });
    const small = await turn(turns, claim("c"));
    expect(second).toBe(false);
    small[Symbol.dispose]();
    await new Promise(setImmediate);
    expect(second).toBe(false);
    large[Symbol.dispose]();
    expect(await waiting).toMatchObject({ outcome: "turn" });
  });

  it("says when to come again, and closes once every place is free", async () => {
    const turns = new Turns({ places: 1, queueLimit: 0 });
    const held = await turn(turns, claim("a"));
    expect(await turns.take(claim("b"))).toEqual({ outcome: "busy", retryAfterSeconds: 1 });
    let closed = false;
    const closing = turns.close().then(() => (closed = true));
    await new Promise(setImmediate);
    expect(closed).toBe(false);
    held[Symbol.dispose]();
    await closing;
    expect((await turns.take(claim("a"))).outcome).toBe("busy");
  });
});
