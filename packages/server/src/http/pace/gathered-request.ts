import { IncomingMessage } from "node:http";

/** The client ended its side, or what it sends cannot be read as a body. */
export type BrokenOff = "ended" | "unreadable";

/** Bytes that are handed on together: a piece of so many is handed on as it is. */
const TOGETHER = 4_096;

/**
 * A request that joins the small pieces of its body. A client may send it in chunks of a byte each (RFC 9112 section
 * 7.1), and one read of a socket then brings ten thousand: handed on one by one, each is an event, an object in a queue
 * and a turn of its own. Sockets are to have a listener for what they read (`eraseOnceParsed`): what the parser reads
 * by itself cannot be joined.
 */
export class GatheredRequest extends IncomingMessage {
  /** What has come of the read that is being parsed and was not handed on yet. */
  #gathered: Buffer | null = null;
  #length = 0;
  #parsed = 0;
  #received = 0;
  /** Bytes of the last piece. */
  #last = 0;
  #brokenOff: BrokenOff | null = null;

  /**
   * Why no more of its body will come, though it is not complete; null while more may. The event `brokenOff` tells when
   * that changes.
   */
  get brokenOff(): BrokenOff | null {
    return this.#brokenOff;
  }

  /** What reads its body learns that no more of it will come. */
  breakOff(why: BrokenOff): void {
    this.#brokenOff = why;
    this.emit("brokenOff");
  }

  /** How many bytes of its body are still to come, where its head says so; 0 for one in chunks. */
  get bodyToCome(): number {
    return Math.max(0, Number(this.headers["content-length"] ?? 0) - this.#received);
  }

  /** Whether what came last of its body came in a large chunk, so that more of it may follow. */
  get isInLargeChunks(): boolean {
    return !this.complete && this.#last >= TOGETHER;
  }

  /** How many pieces the parser has found since this was last asked. */
  takeParsed(): number {
    const parsed = this.#parsed;
    this.#parsed = 0;
    return parsed;
  }

  /** What the parser calls with each piece, and with null at the end of the body. */
  override push(piece: Buffer | null): boolean {
    this.#parsed += 1;
    this.#last = piece?.length ?? 0;
    this.#received += this.#last;
    if (piece === null || piece.length >= TOGETHER) {
      this.#handOn();
      return super.push(piece);
    }
    if (this.#length + piece.length > TOGETHER) this.#handOn();
    if (this.#gathered === null) {
      this.#gathered = piece;
      // By then the read has been parsed to its end.
      queueMicrotask(() => this.#handOn());
    } else {
      this.#gathered = this.#joined(this.#gathered, piece);
    }
    this.#length += piece.length;
    return true;
  }

  #joined(gathered: Buffer, piece: Buffer): Buffer {
    const room = gathered.length >= this.#length + piece.length;
    const joined = room ? gathered : Buffer.alloc(TOGETHER);
    if (!room) move(gathered, joined, 0);
    move(piece, joined, this.#length);
    return joined;
  }

  #handOn(): void {
    const gathered = this.#gathered;
    if (gathered === null) return;
    this.#gathered = null;
    const bytes = gathered.subarray(0, this.#length);
    this.#length = 0;
    if (!super.push(bytes)) this.socket.pause();
  }
}

/** Copies a piece, which may hold pixels, and leaves zeroes where it was. */
function move(piece: Buffer, into: Buffer, at: number): void {
  into.set(piece, at);
  piece.fill(0);
}
