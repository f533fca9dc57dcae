import { expect, test, vi } from "vitest";
import { ParserTurns } from "../../src/http/pace/parser-turns.ts";

/** Takes the processor for so long, ms. */
function work(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("peers take turns, however many connections each has", async () => {
  const turns = new ParserTurns();
  const worked: string[] = [];
  for (const name of ["a1", "a2", "a3", "b1", "b2", "c1"]) {
    turns.wait(name.slice(0, 1), () => worked.push(name));
  }
  await new Promise<void>((resolve) => turns.wait("a", resolve));
  expect(worked).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
});

test("of a peer's connections new ones go first", async () => {
  const turns = new ParserTurns();
  const worked: string[] = [];
  turns.wait("a", () => worked.push("one"));
  turns.wait("a", () => worked.push("other"));
  turns.wait("a", () => worked.push("new"), true);
  await new Promise<void>((resolve) => turns.wait("a", resolve));
  expect(worked).toEqual(["new", "one", "other"]);
});

test("what one turn of the loop has no time for waits for the next", async () => {
  const turns = new ParserTurns();
  expect(turns.now(() => work(10))).toBe(true);
  expect(turns.now(() => {})).toBe(false);
  const rounds: number[] = [];
  let round = 0;
  const count = setInterval(() => (round += 1), 0);
  const step = (): Promise<void> =>
    new Promise((resolve) => {
      turns.wait("a", () => {
        rounds.push(round);
        work(10);
        resolve();
      });
    });
  const steps = [step(), step(), step()];
  await Promise.all(steps);
  clearInterval(count);
  expect(new Set(rounds).size).toBe(3);
});

test("where nobody waits, the next turn of the loop has its time again", async () => {
  const turns = new ParserTurns();
  expect(turns.now(() => work(10))).toBe(true);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(turns.now(() => {})).toBe(true);
});

test("while connections come, the turns of the loop are theirs for as long as the parser's last took, with what came of it", async () => {
  const turns = new ParserTurns();
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    let worked = 0;
    const step = (): void => void (worked += 1);
    await new Promise<void>((resolve) => turns.wait("a", resolve));
    vi.advanceTimersByTime(20);
    turns.wait("a", step);
    turns.accepted();
    await nextTurn();
    for (let connection = 0; connection < 9; connection += 1) {
      turns.accepted();
      expect(turns.now(step)).toBe(false);
      await nextTurn();
    }
    expect(worked).toBe(0);
    vi.advanceTimersByTime(19);
    turns.accepted();
    await nextTurn();
    expect(worked).toBe(0);
    vi.advanceTimersByTime(1);
    turns.accepted();
    await nextTurn();
    expect(worked).toBe(1);
    turns.wait("a", step);
    await nextTurn();
    expect(worked).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});
