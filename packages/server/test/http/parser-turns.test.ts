import { expect, test } from "vitest";
import { ParserTurns } from "../../src/http/pace/parser-turns.ts";

/** Takes the processor for so long, ms. */
function work(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

test("peers take turns, however many connections each has", async () => {
  const turns = new ParserTurns();
  const worked: string[] = [];
  for (const name of ["a1", "a2", "a3", "b1", "b2", "c1"]) {
    turns.wait(name.slice(0, 1), () => worked.push(name));
  }
  await new Promise<void>((resolve) => turns.wait("a", resolve));
  expect(worked).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
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
