import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests that may wait for their turn, of all connections together; past it the connection with most of them is cut off. */
export const MOST_WAITING = 10_000;
/** Connections that are kept; past it the one that has been idle for longest is cut off, and a new one where none is idle. */
const MOST_CONNECTIONS = 8_192;
/** How long a connection on which nothing more can be read stays, for its client to read the last answer. */
const LINGER_MS = 10_000;

/** How long a stop waits for the first request of a connection that was made just before. */
const FIRST_REQUEST_MS = 500;

/** A request that begins when everything before it on its connection has been answered. */
interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly begin: () => void;
}

/**
 * The connections of the service and whose turn it is on each. Clients may send requests without waiting for answers
 * (RFC 9112 section 9.3.2, pipelining); here the next one begins when the one before it has been answered, and while
 * any waits nothing more is read: what waits of one is what came with one read. So a connection costs what one request
 * costs, however much is sent on it.
 */
export class Connections {
  readonly #lines = new Map<Socket, Line>();
  readonly #most: number;
  #waiting = 0;

  /** @param most connections that are kept */
  constructor(most: number = MOST_CONNECTIONS) {
    this.#most = most;
  }

  /** Takes note of a new connection. */
  open(socket: Socket): void {
    if (this.#lines.size >= this.#most && !this.#makeRoom()) {
      socket.destroy();
      return;
    }
    const line = new Line(socket, (change) => this.#count(change));
    this.#lines.set(socket, line);
    socket.once("close", () => {
      this.#lines.delete(socket);
      line.cutOff();
    });
  }

  /** Has a request begin in its turn. */
  enter(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const line = this.#lines.get(request.socket);
    if (line === undefined) return;
    // Those that are in use are the last to go.
    this.#lines.delete(request.socket);
    this.#lines.set(request.socket, line);
    line.enter({ request, response, begin });
  }

  /** Has the client of a connection read `answer`, whole with its head, in its turn; nothing follows it. */
  fail(socket: Socket, answer: string): void {
    this.#lines.get(socket)?.fail(answer);
  }

  /** Ends every connection, whatever is under way on it. */
  cutOff(): void {
    for (const line of this.#lines.values()) line.cutOff();
  }

  /** Ends every connection on which no request is under way; one that is new has a moment to bring its first. */
  endIdle(): void {
    for (const [socket, line] of this.#lines) {
      // What came meanwhile is read before the connection is judged.
      if (line.isNew) setTimeout(() => setImmediate(() => line.busy || socket.destroy()), FIRST_REQUEST_MS);
      else if (!line.busy) socket.destroy();
    }
  }

  /** Cuts off the oldest connection on which no request is under way. Returns whether there was one. */
  #makeRoom(): boolean {
    for (const [socket, line] of this.#lines) {
      if (line.busy) continue;
      this.#lines.delete(socket);
      line.cutOff();
      return true;
    }
    return false;
  }

  /** Takes note that so many requests more wait, or fewer. One more than may wait costs the longest line its connection. */
  #count(change: number): void {
    this.#waiting += change;
    if (change > 0 && this.#waiting > MOST_WAITING) this.#longest().cutOff();
  }

  #longest(): Line {
    return [...this.#lines.values()].reduce((a, b) => (a.waiting < b.waiting ? b : a));
  }
}

/** The requests of one connection, in the order in which they came. */
class Line {
  readonly #socket: Socket;
  readonly #onWaiting: (change: number) => void;
  readonly #waiting: Turn[] = [];
  #current: Turn | null = null;
  #isNew = true;
  /** What the connection ends with, once it has been found to carry something other than requests. */
  #lastAnswer: string | null = null;
  #ended = false;

  /** @param onWaiting is told how many requests more, or less, wait */
  constructor(socket: Socket, onWaiting: (change: number) => void) {
    this.#socket = socket;
    this.#onWaiting = onWaiting;
    // Reading the body of the request under way resumes the connection, too.
    socket.on("resume", () => this.#waiting.length > 0 && socket.pause());
  }

  /** Whether it has not brought a request yet. */
  get isNew(): boolean {
    return this.#isNew;
  }

  get busy(): boolean {
    return this.#current !== null;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  enter(turn: Turn): void {
    this.#isNew = false;
    if (this.#lastAnswer !== null || !this.#socket.writable) return;
    if (this.#current === null) {
      this.#begin(turn);
    } else {
      this.#waiting.push(turn);
      this.#socket.pause();
      this.#onWaiting(1);
    }
  }

  /** Ends the connection, whatever is under way on it. */
  cutOff(): void {
    this.#socket.destroy();
    this.#onWaiting(-this.#waiting.splice(0).length);
  }

  fail(answer: string): void {
    if (this.#lastAnswer !== null) return;
    this.#lastAnswer = answer;
    // A request whose body cannot be read to its end is not answered any other way.
    if (this.#waiting.at(-1)?.request.complete === false) {
      this.#waiting.pop();
      this.#onWaiting(-1);
    }
    if (this.#current === null) this.#end();
    else if (this.#waiting.length === 0 && !this.#current.request.complete) {
      if (!this.#current.response.headersSent) this.#end();
    }
  }

  #begin(turn: Turn): void {
    this.#current = turn;
    turn.response.once("close", () => this.#next());
    turn.begin();
  }

  #next(): void {
    this.#current = null;
    // The answer was the connection's last.
    if (!this.#socket.writable) return;
    const turn = this.#waiting.shift();
    if (turn) {
      this.#onWaiting(-1);
      this.#begin(turn);
    } else if (this.#lastAnswer !== null) this.#end();
    if (this.#waiting.length === 0) this.#socket.resume();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#socket.on("error", () => {});
    if (this.#socket.writable) this.#socket.end(this.#lastAnswer ?? "");
    // What the client still sends is read and dropped: a connection that is reset would lose the answer.
    this.#socket.resume();
    setTimeout(() => this.#socket.destroy(), LINGER_MS).unref();
  }
}
