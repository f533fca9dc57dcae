import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Admission,
  admitBatch,
  type ChainMember,
  ChainWalk,
  isSealed,
  removeFrame,
} from "../src/index.ts";

const head: ChainMember = { type: "HEAD", frameId: 0, prev: null, next: null, frameHash: "head" };

function body(frameId: number, prev: number, next: number, picture = ""): ChainMember {
  return { type: "BODY", frameId, prev, next, frameHash: `${frameId}:${prev}:${next}:${picture}` };
}

function end(frameId: number, prev: number): ChainMember {
  return { type: "END", frameId, prev, next: null, frameHash: `${frameId}:${prev}` };
}

function chain(...batch: ChainMember[]): readonly ChainMember[] {
  return members(admitBatch([head], batch));
}

function members(admission: Admission<ChainMember>): readonly ChainMember[] {
  if (!admission.admitted) throw new Error(JSON.stringify(admission.refusal));
  return admission.members;
}

function ids(list: readonly ChainMember[]): number[] {
  return list.map(({ frameId }) => frameId);
}

/** What a chain comes to, each of whose BODYs is an erratum, or holds a packet or none. */
function walked(
  list: readonly ChainMember[],
  erratum: string | null = null,
  holdsPacket = true,
): Omit<ChainWalk, "take"> {
  const all = list.map((member) => ({ ...member, erratum, holdsPacket }));
  const half = all.length >> 1;
  return new ChainWalk().take(all.slice(0, half)).take(all.slice(half));
}

const three = chain(body(1, 0, 2), body(2, 1, 3), body(3, 2, 4));
const sealed = members(admitBatch(three, [end(4, 3)]));

describe("admission", () => {
  test("a frame evicts all that it spans, however many", () => {
    const held = Array.from({ length: 200_000 }, (_, at) => body(at + 1, at, at + 2));
    const admission = admitBatch([head, ...held], [body(7, 0, 200_001)]);
    expect(ids(members(admission))).toEqual([0, 7]);
    expect(admission.admitted && admission.evicted.length).toBe(199_999);
  });

  test("frames link up to a sealed chain", () => {
    const admission = admitBatch(three, [end(4, 3)]);
    expect(admission).toMatchObject({ admitted: true, seals: true, stored: [{ frameId: 4 }], evicted: [] });
    expect(isSealed(three)).toBe(false);
    expect(walked(sealed)).toMatchObject({ isConnected: true, reach: 4, gaps: [], bodies: 3 });
  });

  test("a gap runs from the one neighbour's next to the other's prev", () => {
    const gapped = chain(body(5, 3, 6), body(9, 7, 10), end(10, 9));
    expect(walked(gapped).gaps).toEqual([
      { from: 1, to: 3, prev: 0, next: 5 },
      { from: 6, to: 7, prev: 5, next: 9 },
    ]);
    expect(walked(gapped)).toMatchObject({ isConnected: false, reach: 0, bodies: 2 });
  });

  test("the same frame again changes nothing, another of its id replaces it", () => {
    const again = admitBatch(three, [body(2, 1, 3)]);
    expect(again).toEqual({
      admitted: true,
      members: three,
      stored: [],
      replaced: [],
      evicted: [],
      seals: false,
    });
    const other = body(2, 1, 3, "other");
    expect(admitBatch(three, [other])).toMatchObject({ stored: [other], replaced: [three[2]], evicted: [] });
  });

  test("a span evicts all it strictly encloses", () => {
    const wide = body(2, 0, 4);
    expect(admitBatch(three, [wide])).toMatchObject({
      members: [head, wide],
      stored: [wide],
      replaced: [three[2]],
      evicted: [three[1], three[3]],
    });
    expect(admitBatch(three, [end(4, 0)])).toMatchObject({ members: [head, end(4, 0)], seals: true });
  });

  test.each<[string, readonly ChainMember[], ChainMember[], "conflict" | "sealed", number]>([
    ["a held span that encloses the arriving id", chain(body(4, 2, 9)), [body(6, 5, 7)], "conflict", 4],
    ["a held span that encloses it from above", chain(body(9, 3, 10)), [body(6, 5, 7)], "conflict", 9],
    ["a neighbour's next that another frame claims", three, [body(3, 1, 4)], "conflict", 1],
    ["a neighbour that does not link back", three, [body(4, 2, 5)], "conflict", 2],
    ["a frame after END", [...three, end(4, 3)].slice(0, 3), [end(4, 3), body(5, 4, 6)], "conflict", 4],
    ["an END before a held frame", three, [end(2, 1)], "conflict", 3],
    ["two ENDs", three, [end(4, 3), end(5, 4)], "conflict", 4],
    ["two frames of one batch", [head], [body(3, 1, 5), body(4, 3, 5)], "conflict", 3],
    ["a frame beyond the sealed END", sealed, [body(5, 4, 6)], "sealed", 5],
    ["another END", sealed, [end(5, 3)], "sealed", 5],
    ["an eviction from a sealed chain", sealed, [body(2, 0, 3)], "sealed", 2],
    ["other links in a sealed chain", sealed, [body(2, 1, 4)], "sealed", 2],
    ["a frame between linked neighbours", [head, body(2, 0, 5), end(5, 2)], [body(3, 2, 4)], "conflict", 2],
    [
      "a fill that leaves its gap",
      [head, body(2, 1, 4), body(9, 7, 10), end(10, 9)],
      [body(3, 2, 4)],
      "conflict",
      2,
    ],
    ["a BODY in END's place", sealed, [body(4, 3, 5)], "sealed", 4],
  ])("%s is refused", (_name, before, batch, rule, frameId) => {
    expect(admitBatch(before, batch)).toEqual({ admitted: false, refusal: { rule, frameId } });
  });

  test("neighbours may be relinked within one batch", () => {
    const relinked = [body(2, 1, 3), body(3, 2, 5), body(5, 3, 6)];
    const before = chain(body(2, 1, 5), body(5, 2, 6));
    expect(admitBatch(before, relinked)).toMatchObject({ admitted: true, members: [head, ...relinked] });
  });

  test("a sealed chain takes retransmits, replacements and fills of its gaps", () => {
    const gapped = chain(body(1, 0, 2), body(4, 3, 5), end(5, 4));
    const batch = [body(1, 0, 2), body(4, 3, 5, "other"), body(3, 2, 4), body(2, 1, 3)];
    const admission = admitBatch(gapped, batch);
    expect(ids(members(admission))).toEqual([0, 1, 2, 3, 4, 5]);
    expect(admission).toMatchObject({ seals: false, stored: [batch[1], batch[2], batch[3]], evicted: [] });
    expect(walked(members(admission)).isConnected).toBe(true);
  });
});

describe("removal", () => {
  test("reopens a gap, which the same frame fills", () => {
    const removal = removeFrame(sealed, 2);
    if ("refusal" in removal) throw new Error(removal.refusal);
    expect(walked(removal.members).gaps).toEqual([{ from: 2, to: 2, prev: 1, next: 3 }]);
    expect(members(admitBatch(removal.members, [removal.removed]))).toEqual(sealed);
  });

  test("is for held BODY frames only", () => {
    expect([0, 4, 5].map((id) => removeFrame(sealed, id))).toEqual([
      { refusal: "notBody" },
      { refusal: "notBody" },
      { refusal: "frameNotFound" },
    ]);
  });
});

test("every shortfall present is named", () => {
  expect(walked(sealed).shortfalls).toEqual([]);
  expect(walked([head]).shortfalls).toEqual(["notSealed", "notConnected", "noBody"]);
  expect(walked(chain(end(1, 0))).shortfalls).toEqual(["noBody", "tooFewFrames"]);
  expect(walked(chain(body(2, 1, 3), end(3, 2))).shortfalls).toEqual(["notConnected", "gap"]);
  expect(walked(sealed, null, false).shortfalls).toEqual(["noPacket"]);
  expect(walked(sealed, "00", false)).toMatchObject({
    shortfalls: ["errata"],
    errata: [1, 2, 3].map((frameId) => ({ frameId, erratum: "00" })),
  });
});

/** Frames each two neighbours of which are linked, or leave a gap both allow; with or without an END. */
const consistentFrames = fc
  .uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 12 })
  .chain((list) => {
    const sorted = list.toSorted((a, b) => a - b);
    const cuts = fc.array(fc.tuple(fc.boolean(), fc.nat(), fc.nat()), { minLength: 13, maxLength: 13 });
    return fc.tuple(fc.constant(sorted), cuts, fc.boolean());
  })
  .map(([sorted, cuts, sealing]) => {
    // From each id to the next one: either both name each other, or the first names x and the second y, x <= y.
    const edges = [0, ...sorted, 61].slice(1).map((id, i) => {
      const before = [0, ...sorted][i] ?? 0;
      const [linked, x, y] = cuts[i] ?? [true, 0, 0];
      const room = id - before - 1;
      if (linked || room === 0) return { next: id, prev: before };
      const next = before + 1 + (x % room);
      return { next, prev: next + (y % (id - next)) };
    });
    return sorted.map((id, i) => {
      const prev = edges[i]?.prev ?? 0;
      return sealing && i === sorted.length - 1 ? end(id, prev) : body(id, prev, edges[i + 1]?.next ?? 61);
    });
  });

/** Any frames at all, most of which contradict each other. */
const anyFrames = fc.array(
  fc
    .tuple(
      fc.integer({ min: 1, max: 20 }),
      fc.nat(19),
      fc.nat(19),
      fc.boolean(),
      fc.constantFrom("", "other"),
    )
    .map(([id, down, up, ends, picture]) => {
      const prev = Math.max(0, id - 1 - (down % 4));
      return ends && up < 2 ? end(id, prev) : body(id, prev, id + 1 + (up % 4), picture);
    }),
  { minLength: 1, maxLength: 6 },
);

function expectWhole(list: readonly ChainMember[]): void {
  expect(list[0]).toBe(head);
  expect(ids(list)).toEqual([...new Set(ids(list))].toSorted((a, b) => a - b));
  expect(list.slice(0, -1).every(({ type }) => type !== "END")).toBe(true);
  const { gaps } = walked(list);
  const linked = list
    .slice(1)
    .filter(
      ({ prev }, at) =>
        prev === list[at]?.frameId && [null, ids(list)[at + 1]].includes(list[at]?.next ?? null),
    );
  expect(gaps).toHaveLength(list.length - 1 - linked.length);
  for (const { from, to, prev, next } of gaps) {
    expect(prev < from && from <= to && to < next).toBe(true);
    expect(ids(list).some((id) => id >= from && id <= to)).toBe(false);
  }
}

function batches<T>(list: readonly T[], sizes: readonly number[]): T[][] {
  const rest = [...list];
  return [...sizes.map((size) => rest.splice(0, size)), rest].filter((batch) => batch.length > 0);
}

describe("for any frames", () => {
  test("consistent ones give one chain in any order and any batches, the same as all at once", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 8 });
    const shuffled = consistentFrames.chain((frames) =>
      fc.tuple(fc.constant(frames), fc.shuffledSubarray(frames, { minLength: frames.length }), sizes),
    );
    fc.assert(
      fc.property(shuffled, ([frames, order, split]) => {
        const step = (held: readonly ChainMember[], batch: ChainMember[]): readonly ChainMember[] =>
          members(admitBatch(held, batch));
        const result = batches(order, split).reduce(step, [head]);
        expect(result).toEqual([head, ...frames]);
        expect(members(admitBatch([head], order))).toEqual(result);
        expectWhole(result);
      }),
      { numRuns: 400 },
    );
  });

  test("the chain stays whole, accounts for every frame, and is what its members build afresh", () => {
    fc.assert(
      fc.property(fc.array(anyFrames, { maxLength: 8 }), (sent) => {
        let held: readonly ChainMember[] = [head];
        for (const batch of sent) {
          const before = Object.freeze([...held]);
          const admission = admitBatch(before, batch);
          expect(before).toEqual(held);
          if (!admission.admitted) continue;
          const { stored, replaced, evicted, members: after } = admission;
          expect(hashes([...after, ...replaced, ...evicted])).toEqual(hashes([...before, ...stored]));
          expect(admission.seals).toBe(!isSealed(before) && isSealed(after));
          expectWhole(after);
          expect(members(admitBatch([head], after.slice(1).toReversed()))).toEqual(after);
          held = after;
        }
      }),
      { numRuns: 400 },
    );
  });

  test("a held span that encloses an arriving id, and is not enclosed itself, refuses it", () => {
    fc.assert(
      fc.property(consistentFrames, anyFrames, (frames, [frame]) => {
        const held = chain(...frames.filter(({ type }) => type === "BODY"));
        const admission = admitBatch(held, [frame!]);
        const reach = frame!.next ?? frame!.frameId;
        const enclosing = held.filter(({ type, frameId, prev, next }) => {
          const evicted = frameId > frame!.prev! && frameId < reach;
          const encloses = type !== "HEAD" && prev! < frame!.frameId && next! > frame!.frameId;
          return frameId !== frame!.frameId && encloses && !evicted;
        });
        expect(admission.admitted && enclosing.length > 0).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  test("a sealed chain keeps its END and loses no member", () => {
    fc.assert(
      fc.property(consistentFrames, anyFrames, (frames, batch) => {
        const ended = frames.map((one, i) => (i === frames.length - 1 ? end(one.frameId, one.prev!) : one));
        const held = chain(...ended);
        const admission = admitBatch(held, batch);
        const after = admission.admitted ? admission.members : held;
        expect(after.at(-1)).toBe(held.at(-1));
        expect(held.every(({ frameId }) => ids(after).includes(frameId))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  test("the members at and next to a batch are enough to judge it", () => {
    fc.assert(
      fc.property(consistentFrames, anyFrames, (frames, batch) => {
        const held = chain(...frames);
        const near = held.filter((member, i) => {
          const [before, after] = [held[i - 1], held[i + 1]];
          return batch.some(({ prev, next, frameId }) => {
            const [low, high] = [prev ?? 0, next ?? frameId];
            const within = (one: ChainMember | undefined): boolean =>
              one !== undefined && one.frameId >= low && one.frameId <= high;
            const astride = before !== undefined && before.frameId < low && member.frameId > high;
            const under = after !== undefined && member.frameId < low && after.frameId > high;
            return [before, member, after].some(within) || astride || under;
          });
        });
        const edges = held.filter((member) => member === head || member === held.at(-1));
        const window = held.filter((member) => near.includes(member) || edges.includes(member));
        const { members: _all, ...whole } = { members: null, ...admitBatch(held, batch) };
        const { members: _some, ...partial } = { members: null, ...admitBatch(window, batch) };
        expect(partial).toEqual(whole);
      }),
      { numRuns: 400 },
    );
  });
});

function hashes(list: readonly ChainMember[]): string[] {
  return list.map(({ frameHash }) => frameHash).toSorted();
}
