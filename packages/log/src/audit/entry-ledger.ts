import { fromBase64, toBase64 } from "@colophon/formats";
import { type LogEntry, parseEntry } from "../record/entry.ts";
import type { FilledTile } from "../tree/tiles.ts";
import { AuditFailure } from "./audit-failure.ts";

/** Where an audit has come to. */
export interface AuditState {
  /** The kind of each entry so far: a byte each. */
  readonly kinds: Uint8Array;
  /** The tree's tiles that are not full. */
  readonly edge: readonly FilledTile[];
}

/** What an entry is: a publication, one that a take-down has ended, or a take-down. */
export const ENTRY_KIND = { published: 0, ended: 1, takenDown: 2 } as const;

/** What the entries of a log say of each other, taken in their order. */
export class EntryLedger {
  #kinds: Uint8Array;
  #size: number;

  constructor(state: AuditState | null) {
    this.#kinds = Uint8Array.from(state?.kinds ?? []);
    this.#size = this.#kinds.length;
  }

  get size(): number {
    return this.#size;
  }

  get kinds(): Uint8Array {
    return this.#kinds.slice(0, this.#size);
  }

  /** How many publications are not ended, and how many are. */
  get counts(): { readonly live: number; readonly takenDown: number } {
    const takenDown = this.kinds.filter((kind) => kind === ENTRY_KIND.takenDown).length;
    return { live: this.#size - 2 * takenDown, takenDown };
  }

  /** Takes the next entry. @throws AuditFailure */
  take(bytes: Uint8Array): void {
    const index = this.#size;
    let entry: LogEntry;
    try {
      entry = parseEntry(bytes);
    } catch {
      throw new AuditFailure(`Entry ${index} is of no known kind.`);
    }
    if (entry.kind === "takenDown") this.#end(entry.ends, index);
    this.#append(entry.kind === "published" ? ENTRY_KIND.published : ENTRY_KIND.takenDown);
  }

  #end(ended: number, by: number): void {
    if (ended >= by || this.#kinds[ended] !== ENTRY_KIND.published) {
      throw new AuditFailure(
        `Entry ${by} ends entry ${ended}, which is no publication before it, or ended already.`,
      );
    }
    this.#kinds[ended] = ENTRY_KIND.ended;
  }

  #append(kind: number): void {
    if (this.#size === this.#kinds.length) {
      const grown = new Uint8Array(Math.max(1024, 2 * this.#size));
      grown.set(this.#kinds);
      this.#kinds = grown;
    }
    this.#kinds[this.#size] = kind;
    this.#size += 1;
  }
}

/** The state as text, to be kept between audits. */
export function writeAuditState(logKey: string, { kinds, edge }: AuditState): string {
  const tiles = edge.map(({ hashes, ...tile }) => ({ ...tile, hashes: toBase64(hashes) }));
  return `${JSON.stringify({ logKey, kinds: toBase64(kinds), edge: tiles })}\n`;
}

/** The state in a text, for the log whose key it names. Throws a SyntaxError on any other text. */
export function parseAuditState(text: string, logKey: string): AuditState {
  const found: { logKey?: unknown; kinds?: unknown; edge?: unknown } = JSON.parse(text);
  if (found.logKey !== logKey || typeof found.kinds !== "string" || !Array.isArray(found.edge)) {
    throw new SyntaxError("not the state of an audit of this log");
  }
  const edge = found.edge.map(({ level, index, width, hashes }: Record<string, unknown>) => ({
    level: Number(level),
    index: Number(index),
    width: Number(width),
    hashes: fromBase64(String(hashes)),
  }));
  return { kinds: fromBase64(found.kinds), edge };
}
