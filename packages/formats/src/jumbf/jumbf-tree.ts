import { fromUtf8, toHex } from "../bytes/encoding.ts";
import { type IsoBox, readIsoBox } from "../bytes/iso-box.ts";

/** A box of a JUMBF container (ISO 19566-5). */
export interface JumbfBox {
  /** Four characters, whatever the bytes said. */
  readonly type: string;
  /** Where the box starts, in bytes from the start of the container. */
  readonly offset: number;
  /** Bytes, the header included. */
  readonly length: number;
  /** What is in it; a view. */
  readonly content: Uint8Array;
  /** What its description box says of a superbox; null of any other box. */
  readonly description: JumbfDescription | null;
  /** The boxes of a superbox, its description box left out. */
  readonly children: readonly JumbfBox[];
}

/** The description box of a superbox. */
export interface JumbfDescription {
  /** What the superbox holds: 16 bytes in lowercase hex. */
  readonly contentType: string;
  readonly label: string | null;
}

/** The boxes of a container, as far as they could be read. */
export interface JumbfTree {
  readonly boxes: readonly JumbfBox[];
  /** Whether every byte belongs to a box that was read and no bound was met. */
  readonly complete: boolean;
}

/** Bounds on what a reader takes on; whatever lies beyond them is left out. */
export interface JumbfBounds {
  readonly boxes: number;
  readonly depth: number;
}

const BOUNDS: JumbfBounds = { boxes: 4096, depth: 32 };
const CONTENT_TYPE_BYTES = 16;
const HAS_LABEL = 0x02;

/**
 * Reads the boxes of a JUMBF container, such as a C2PA manifest store. Never throws: of a broken container it answers
 * the boxes before the break.
 */
export function readJumbf(bytes: Uint8Array, bounds: JumbfBounds = BOUNDS): JumbfTree {
  const reader = new Reader(bytes, bounds);
  return { boxes: reader.boxes(0, bytes.length, 0), complete: reader.complete };
}

class Reader {
  complete = true;
  readonly #bytes: Uint8Array;
  readonly #depth: number;
  #left: number;

  constructor(bytes: Uint8Array, { boxes, depth }: JumbfBounds) {
    this.#bytes = bytes;
    this.#depth = depth;
    this.#left = boxes;
  }

  boxes(start: number, limit: number, depth: number): JumbfBox[] {
    const found: JumbfBox[] = [];
    let at = start;
    while (at < limit) {
      const box = this.#take(at, limit, depth);
      if (box === null) break;
      found.push(box);
      at += box.length;
    }
    return found;
  }

  /** The box at `at`; null, and the tree incomplete, when there is none or a bound is met. */
  #take(at: number, limit: number, depth: number): JumbfBox | null {
    const box = this.#left > 0 && depth < this.#depth ? readIsoBox(this.#bytes, at, limit) : null;
    if (box === null) {
      this.complete = false;
      return null;
    }
    this.#left -= 1;
    const { type, content, end } = box;
    return {
      type,
      offset: at,
      length: end - at,
      content: this.#bytes.subarray(content, end),
      ...(type === "jumb" ? this.#superbox(box, depth) : { description: null, children: [] }),
    };
  }

  #superbox({ content, end }: IsoBox, depth: number): Pick<JumbfBox, "description" | "children"> {
    const first = readIsoBox(this.#bytes, content, end);
    const description = first?.type === "jumd" ? readDescription(this.#bytes, first) : null;
    if (first === null || description === null) {
      this.complete = false;
      return { description: null, children: [] };
    }
    return { description, children: this.boxes(first.end, end, depth + 1) };
  }
}

function readDescription(bytes: Uint8Array, { content, end }: IsoBox): JumbfDescription | null {
  const labelStart = content + CONTENT_TYPE_BYTES + 1;
  const toggles = bytes[labelStart - 1];
  if (labelStart > end || toggles === undefined) return null;
  const contentType = toHex(bytes.subarray(content, content + CONTENT_TYPE_BYTES));
  if ((toggles & HAS_LABEL) === 0) return { contentType, label: null };
  const rest = bytes.subarray(labelStart, end);
  const length = rest.indexOf(0);
  if (length < 0) return null;
  try {
    return { contentType, label: fromUtf8(rest.subarray(0, length)) };
  } catch {
    return null;
  }
}
