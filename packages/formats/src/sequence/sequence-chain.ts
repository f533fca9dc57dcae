/** What the chain knows of a frame: its identity, its position, and whether it is the same frame sent again. */
export interface ChainMember {
  readonly type: "HEAD" | "BODY" | "END";
  readonly frameId: number;
  readonly prev: number | null;
  readonly next: number | null;
  readonly frameHash: string;
}

/** A range of missing ids between two held neighbours. */
export interface Gap {
  /** The first and the last missing id. */
  readonly from: number;
  readonly to: number;
  /** The ids of the held neighbours. */
  readonly prev: number;
  readonly next: number;
}

/** Why a batch is refused, and the frame at fault. */
export interface ChainRefusal {
  /**
   * `conflict`: two neighbours disagree; names the one that was there first. `sealed`: the frame would change the shape
   * of a sealed chain.
   */
  readonly rule: "conflict" | "sealed";
  readonly frameId: number;
}

/** What a batch does to the chain, or why it does nothing. */
export type Admission<M extends ChainMember> =
  | { readonly admitted: false; readonly refusal: ChainRefusal }
  | {
      readonly admitted: true;
      /** The whole chain afterwards, by frame id. */
      readonly members: readonly M[];
      /** Frames of the batch that are new in it, replacements included, in the batch's order. */
      readonly stored: readonly M[];
      /** Members that are gone because a frame with their id replaced them. */
      readonly replaced: readonly M[];
      /** Members that are gone because an arriving frame's span enclosed them. */
      readonly evicted: readonly M[];
      /** Whether this batch sealed the chain. */
      readonly seals: boolean;
    };

/**
 * Admits a batch as a whole or not at all. `members` is the chain so far, by frame id, HEAD first; the answer is also
 * right when it holds only the members at and next to the batch's ids and links, and END. In the batch's order each
 * frame replaces the member of its id and evicts those strictly within its span; then all neighbours must be
 * consistent. A frame sent again with the same hash changes nothing.
 */
export function admitBatch<M extends ChainMember>(members: readonly M[], batch: readonly M[]): Admission<M> {
  const sealed = isSealed(members);
  const pool = [...members];
  const left: M[] = [];
  for (const frame of batch) {
    if (isSame(find(pool, frame.frameId), frame)) continue;
    if (sealed && !keepsShape(pool, frame)) return refused("sealed", frame.frameId);
    for (const member of enter(pool, frame)) left.push(member);
  }
  const arrived = new Set(batch);
  const stored = [...arrived].filter((frame) => find(pool, frame.frameId) === frame);
  const fault = disagreement(pool, stored, batch);
  if (fault !== null) return refused("conflict", fault);
  const gone = left.filter((member) => !arrived.has(member));
  return {
    admitted: true,
    members: pool,
    stored,
    replaced: gone.filter(({ frameId }) => find(pool, frameId) !== undefined),
    evicted: gone.filter(({ frameId }) => find(pool, frameId) === undefined),
    seals: !sealed && isSealed(pool),
  };
}

/** Why a frame cannot be removed: no member has its id, or the member is HEAD or END. */
export type RemovalRefusal = "frameNotFound" | "notBody";

/** The chain without one BODY, whose place becomes a gap. */
export function removeFrame<M extends ChainMember>(
  members: readonly M[],
  frameId: number,
): { readonly removed: M; readonly members: readonly M[] } | { readonly refusal: RemovalRefusal } {
  const member = find(members, frameId);
  if (member === undefined) return { refusal: "frameNotFound" };
  if (member.type !== "BODY") return { refusal: "notBody" };
  return { removed: member, members: members.filter((other) => other !== member) };
}

/** Whether the chain holds its END. */
export function isSealed(members: readonly ChainMember[]): boolean {
  return members.at(-1)?.type === "END";
}

/**
 * What keeps a chain from being committed; the contract has the same names for its answer, and the server's types hold
 * both to one list.
 */
export type Shortfall =
  | "notSealed"
  | "notConnected"
  | "gap"
  | "errata"
  | "noBody"
  | "noPacket"
  | "tooFewFrames";

/** A member with what commit asks of a BODY. */
export interface CommitMember extends ChainMember {
  /** The already registered original it matched, if any. */
  readonly erratum: string | null;
  readonly holdsPacket: boolean;
}

/** A member as far as a chain's state depends on it. */
export type LinkedMember = Omit<CommitMember, "frameHash">;
type Linked = Omit<ChainMember, "frameHash">;

/** HEAD, one BODY and END. */
const FEWEST_FRAMES = 3;

/** Goes through a chain by frame id, HEAD first, all at once or part after part, and keeps what it comes to. */
export class ChainWalk {
  /** The gaps between held neighbours, in order. */
  readonly gaps: Gap[] = [];
  /** BODYs that matched a registered original, in order. */
  readonly errata: { readonly frameId: number; readonly erratum: string }[] = [];
  #members = 0;
  #bodies = 0;
  #lacksPacket = false;
  #last: Linked | undefined;

  /** Takes the members that follow on those before. */
  take(members: readonly LinkedMember[]): this {
    for (const member of members) {
      const before = this.#last;
      if (before !== undefined && !agree(before, member)) this.gaps.push(gapBetween(before, member));
      this.#last = member;
      this.#members += 1;
      if (member.type === "BODY") this.#takeBody(member);
    }
    return this;
  }

  /** How many BODYs the chain holds. */
  get bodies(): number {
    return this.#bodies;
  }

  /** The highest frame id reached from HEAD without a gap; 0 for HEAD alone. */
  get reach(): number {
    return this.gaps[0]?.prev ?? this.#last?.frameId ?? 0;
  }

  /** Whether the walk from HEAD reaches END with no gap. */
  get isConnected(): boolean {
    return this.#isSealed && this.gaps.length === 0;
  }

  /** Every shortfall that keeps the chain from being committed; none means that it can be. */
  get shortfalls(): readonly Shortfall[] {
    const present: Record<Shortfall, boolean> = {
      notSealed: !this.#isSealed,
      notConnected: !this.isConnected,
      gap: this.gaps.length > 0,
      errata: this.errata.length > 0,
      noBody: this.#bodies === 0,
      // An erratum carries no packet by its nature and is named as one.
      noPacket: this.#lacksPacket,
      tooFewFrames: this.#isSealed && this.#members < FEWEST_FRAMES,
    };
    return (Object.keys(present) as Shortfall[]).filter((one) => present[one]);
  }

  get #isSealed(): boolean {
    return this.#last?.type === "END";
  }

  #takeBody({ frameId, erratum, holdsPacket }: LinkedMember): void {
    this.#bodies += 1;
    if (erratum !== null) this.errata.push({ frameId, erratum });
    else if (!holdsPacket) this.#lacksPacket = true;
  }
}

/** Whether two neighbours are linked to each other; HEAD states no `next` and takes any that names it. */
function agree(a: Linked, b: Linked): boolean {
  return b.prev === a.frameId && (a.type === "HEAD" || a.next === b.frameId);
}

/** The gap that two neighbours which do not agree leave between them; inverted when they contradict each other. */
function gapBetween(a: Linked, b: Linked): Gap {
  // END has no next: a frame after it finds no room.
  const from = a.type === "HEAD" ? 1 : (a.next ?? Number.POSITIVE_INFINITY);
  return { from, to: b.prev ?? 0, prev: a.frameId, next: b.frameId };
}

function isConsistent(a: ChainMember, b: ChainMember): boolean {
  if (agree(a, b)) return true;
  const { from, to } = gapBetween(a, b);
  return from <= to;
}

/** Puts a frame in its place and answers what its span strictly enclosed; an END's span reaches to itself. */
function enter<M extends ChainMember>(pool: M[], frame: M): M[] {
  const start = indexFrom(pool, (frame.prev ?? 0) + 1);
  const end = indexFrom(pool, frame.next ?? frame.frameId + 1);
  return pool.splice(start, Math.max(end - start, 0), frame);
}

/** Whether a frame keeps a sealed chain's shape: the same links again, or a span between neighbours. */
function keepsShape(pool: readonly ChainMember[], frame: ChainMember): boolean {
  const at = indexFrom(pool, frame.frameId);
  const [before, here] = [pool[at - 1], pool[at]];
  if (before === undefined || here === undefined) return false;
  if (here.frameId === frame.frameId) {
    return here.type === frame.type && here.prev === frame.prev && here.next === frame.next;
  }
  return (frame.prev ?? 0) >= before.frameId && (frame.next ?? Infinity) <= here.frameId;
}

/**
 * The frame at fault where a frame just stored and a neighbour contradict each other: the one that was there first.
 * Every eviction leaves the frame that evicted, or one that evicted that, as a neighbour: no other pair is new.
 */
function disagreement(
  pool: readonly ChainMember[],
  stored: readonly ChainMember[],
  batch: readonly ChainMember[],
): number | null {
  for (const frame of stored) {
    const at = indexFrom(pool, frame.frameId);
    for (const [a, b] of [pool.slice(at - 1, at + 1), pool.slice(at, at + 2)]) {
      if (a === undefined || b === undefined || isConsistent(a, b)) continue;
      return batch.indexOf(a) <= batch.indexOf(b) ? a.frameId : b.frameId;
    }
  }
  return null;
}

function refused(rule: ChainRefusal["rule"], frameId: number): { admitted: false; refusal: ChainRefusal } {
  return { admitted: false, refusal: { rule, frameId } };
}

function isSame(held: ChainMember | undefined, frame: ChainMember): boolean {
  return held?.frameHash === frame.frameHash;
}

function find<M extends ChainMember>(members: readonly M[], frameId: number): M | undefined {
  const member = members[indexFrom(members, frameId)];
  return member?.frameId === frameId ? member : undefined;
}

/** The position of the first member whose id is at least `frameId`. */
function indexFrom(members: readonly ChainMember[], frameId: number): number {
  let low = 0;
  let high = members.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((members[middle]?.frameId ?? Number.POSITIVE_INFINITY) < frameId) low = middle + 1;
    else high = middle;
  }
  return low;
}
