import { Refusal } from "@colophon/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BodyBudget, type ByteBudget } from "../../src/custody/body-budget.ts";

/** Whether a budget took so many bytes more; anything but its refusal is thrown on. */
function takes(budget: ByteBudget, bytes: number): boolean {
  try {
    budget.take(bytes);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === "serviceUnavailable") return false;
    throw error;
  }
}

/** How many bytes a budget gives, one at a time, before it refuses. */
function fill(budget: ByteBudget): number {
  let taken = 0;
  while (takes(budget, 1)) taken += 1;
  return taken;
}

describe("the memory for bodies", () => {
  test("is half for one account alone, whatever the number of its requests, and the rest for others", () => {
    const budget = new BodyBudget(1200);
    using first = budget.open("a");
    using second = budget.open("a");
    expect(fill(first) + fill(second)).toBe(600);
    expect(() => first.take(1)).toThrow(expect.objectContaining({ extensions: { retryAfterSeconds: 2 } }));
    using other = budget.open("b");
    expect(fill(other)).toBe(300);
    using third = budget.open("c");
    expect(fill(third)).toBe(150);
    expect(budget.used).toBe(1050);
  });

  test("comes back with the request, or before", () => {
    const budget = new BodyBudget(100);
    {
      using hold = budget.open("a");
      hold.take(50);
      hold.giveBack(20);
      expect(budget.used).toBe(30);
      using other = budget.open("b");
      other.take(20);
    }
    expect(budget.used).toBe(0);
    using again = budget.open("a");
    expect(fill(again)).toBe(50);
  });

  test("always has room for one more account, and never passes its bound", () => {
    const steps = fc.array(
      fc.record({
        holder: fc.integer({ min: 0, max: 6 }),
        bytes: fc.integer({ min: 1, max: 400 }),
        back: fc.boolean(),
      }),
      { maxLength: 200 },
    );
    fc.assert(
      fc.property(steps, (taken) => {
        const budget = new BodyBudget(1000);
        const holds = Array.from({ length: 7 }, (_, holder) => ({
          hold: budget.open(`${holder}`),
          bytes: 0,
        }));
        for (const { holder, bytes, back } of taken) {
          const held = holds[holder];
          if (!held) continue;
          const returned = Math.min(bytes, held.bytes);
          if (back) held.hold.giveBack(returned);
          if (back) held.bytes -= returned;
          else if (takes(held.hold, bytes)) held.bytes += bytes;
          expect(budget.used).toBe(holds.reduce((sum, one) => sum + one.bytes, 0));
          expect(budget.used).toBeLessThan(budget.limit);
        }
        const free = budget.limit - budget.used;
        using newcomer = budget.open("newcomer");
        newcomer.take(Math.floor(free / 2));
        for (const { hold } of holds) hold[Symbol.dispose]();
        expect(budget.used).toBe(Math.floor(free / 2));
      }),
    );
  });
});
