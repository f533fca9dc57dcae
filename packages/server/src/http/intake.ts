import type { Socket } from "node:net";
import { erase, eraseOnceParsed } from "./body/erase.ts";
import type { ParserTurns } from "./pace/parser-turns.ts";

/**
 * Bytes that are handed on at once, unless more are known to be of one body: at least, which may be a dozen requests,
 * and at most, some thousand chunks.
 */
const [LEAST, MOST] = [256, 8_192];
/**
 * At most where large chunks come, each of which is one piece for the parser: all that one read brings, which is ten
 * milliseconds' work if it is chunks of a byte after all.
 */
const MOST_OF_LARGE = 65_536;
/** What ends the head of a request, and a body in chunks. */
const BLANK_LINE = "\r\n\r\n";

/** What an intake asks of its connection. */
export interface IntakeParts {
  readonly turns: ParserTurns;
  /** Whose connection it is: turns go by peers. */
  readonly peer: string;
  /** How many of the bytes that follow are known to be of the body of the request under way. */
  readonly bodyToCome: () => number;
  /** Whether its body comes in large chunks, as far as it has come. */
  readonly isInLargeChunks: () => boolean;
  /** Is told how many bytes more, or less, are held. */
  readonly onHeld: (change: number) => void;
}

/**
 * What stands between a socket and the HTTP parser: what one read brings is handed on head by head, short ones
 * together, each piece in its turn, and nothing more is read before it has been. So a connection has some requests
 * parsed, however many were sent on it, and what it holds is one read.
 */
export class Intake {
  readonly #socket: Socket;
  readonly #parts: IntakeParts;
  readonly #push: Socket["push"];
  readonly #read: Socket["_read"];
  #held: Buffer | null = null;
  #hasEnded = false;
  #waits = false;
  #isNew = true;
  #isDropping = false;

  /**
   * Takes the place of what a socket hands on and of what it is asked for; both belong to streams (`push` and `_read`).
   */
  constructor(socket: Socket, parts: IntakeParts) {
    this.#socket = socket;
    this.#parts = parts;
    this.#push = socket.push.bind(socket);
    this.#read = socket["_read"].bind(socket);
    socket.push = (bytes: Buffer | null) => this.#arrive(bytes);
    socket["_read"] = (size) => this.#goOn(size);
    // With a listener for what is read the parser leaves the reading to the socket.
    eraseOnceParsed(socket);
    socket.on("resume", () => this.#held !== null && this.#wait());
    socket.once("close", () => this.#drop());
  }

  /** Bytes that are held. */
  get held(): number {
    return this.#held?.length ?? 0;
  }

  /** From now on what is read is dropped in its turn, zeroed, and the parser hears nothing but the end. */
  dropRest(): void {
    this.#isDropping = true;
    this.#dropOn();
  }

  /** Something has been read. Returns whether more may be. */
  #arrive(bytes: Buffer | null): boolean {
    if (bytes === null) {
      this.#hasEnded = true;
      return this.#held === null && this.#push(null);
    }
    this.#held = bytes;
    this.#parts.onHeld(bytes.length);
    if (this.#isPaused) return false;
    let more = false;
    if (!this.#parts.turns.now(() => (more = this.#handOn()))) this.#wait();
    return more && this.#held === null;
  }

  /** The parser wants more. */
  #goOn(size: number): void {
    if (this.#held === null) this.#read(size);
    else if (!this.#isPaused) this.#wait();
  }

  /** What is only dropped keeps nothing waiting. */
  get #isPaused(): boolean {
    return this.#socket.isPaused() && !this.#isDropping;
  }

  #wait(): void {
    if (this.#waits) return;
    this.#waits = true;
    const step = (): void => {
      this.#waits = false;
      if (this.#held !== null && !this.#isPaused) this.#handOn();
    };
    this.#parts.turns.wait(this.#parts.peer, step, this.#isNew);
  }

  /** Hands on one piece. Returns whether the parser wants more. */
  #handOn(): boolean {
    const held = this.#held;
    if (held === null) return false;
    if (this.#isDropping) return this.#dropOn();
    this.#isNew = false;
    const piece = held.subarray(0, this.#pieceOf(held));
    this.#held = piece.length < held.length ? held.subarray(piece.length) : null;
    this.#parts.onHeld(-piece.length);
    const more = this.#push(piece);
    if (this.#held === null && this.#hasEnded) this.#push(null);
    return more;
  }

  #pieceOf(held: Buffer): number {
    const body = this.#parts.bodyToCome();
    if (body > 0) return Math.min(body, held.length);
    const most = this.#parts.isInLargeChunks() ? MOST_OF_LARGE : MOST;
    const end = held.subarray(0, most).indexOf(BLANK_LINE, LEAST - BLANK_LINE.length, "latin1");
    return end < 0 ? Math.min(most, held.length) : end + BLANK_LINE.length;
  }

  /** Drops what is held, and has more read. Returns whether more may come. */
  #dropOn(): boolean {
    this.#drop();
    if (this.#hasEnded) this.#push(null);
    else if (!this.#socket.destroyed) this.#read(0);
    return !this.#hasEnded;
  }

  #drop(): void {
    if (this.#held === null) return;
    this.#parts.onHeld(-this.#held.length);
    erase(this.#held);
    this.#held = null;
  }
}
