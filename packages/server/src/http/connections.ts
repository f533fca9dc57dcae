import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { AddressRanges } from "../config/address-ranges.ts";
import { boundedAs } from "./client-address.ts";
import { Intake } from "./intake.ts";
import type { BrokenOff, GatheredRequest } from "./pace/gathered-request.ts";
import { ParserTurns } from "./pace/parser-turns.ts";

/** What all connections may take together. */
export interface Bounds {
  /**
   * Connections that are kept; past it, of the peer that has most of them, the one that has been idle for longest is
   * cut off.
   */
  readonly connections: number;
  /**
   * Bytes that were read and wait to be parsed; past it, of the peer that has most of them, the connection with most is
   * cut off.
   */
  readonly heldBytes: number;
}

const BOUNDS: Bounds = { connections: 8_192, heldBytes: 67_108_864 };
/**
 * How long a connection that has had its last answer stays, for its client to read it; what comes meanwhile is dropped.
 */
const LINGER_MS = 10_000;

/** How long a stop waits for the first request of a connection that was made just before. */
const FIRST_REQUEST_MS = 500;

/** A request that begins when everything before it on its connection has been answered. */
interface Turn {
  readonly request: GatheredRequest;
  readonly response: ServerResponse;
  readonly begin: () => void;
}

/**
 * The connections of the service and whose turn it is on each. Clients may send requests without waiting for answers
 * (RFC 9112 section 9.3.2, pipelining); here the next one begins when the one before it has been answered, and while
 * any waits nothing more is parsed. So a connection costs what one request costs, however much is sent on it.
 */
export class Connections {
  /** In the order in which they were used last. */
  readonly #lines = new Map<Socket, Line>();
  /** How many each peer has. */
  readonly #ofPeer = new Map<string, number>();
  readonly #turns = new ParserTurns();
  readonly #proxies: AddressRanges;
  readonly #bounds: Bounds;
  #held = 0;

  /** @param proxies peers of which each connection may be somebody else's */
  constructor(proxies: AddressRanges, bounds: Bounds = BOUNDS) {
    this.#proxies = proxies;
    this.#bounds = bounds;
  }

  /** Takes note of a new connection. */
  open(socket: Socket): void {
    this.#turns.accepted();
    const { remoteAddress = "", remotePort = 0 } = socket;
    const peer = this.#proxies.has(remoteAddress)
      ? `${remoteAddress}:${remotePort}`
      : boundedAs(remoteAddress);
    if (this.#lines.size >= this.#bounds.connections && !this.#makeRoom(peer)) {
      socket.destroy();
      return;
    }
    const line = new Line(socket, peer, this.#turns, (change) => this.#count(change));
    this.#lines.set(socket, line);
    this.#ofPeer.set(peer, this.#numberOf(peer) + 1);
    socket.once("close", () => this.#close(socket));
  }

  /** Has a request begin in its turn. */
  enter(request: GatheredRequest, response: ServerResponse, begin: () => void): void {
    const line = this.#lines.get(request.socket);
    if (line === undefined) return;
    // Those that are in use are the last to go.
    this.#lines.delete(request.socket);
    this.#lines.set(request.socket, line);
    line.enter({ request, response, begin });
  }

  /**
   * What follows on a connection cannot be read as requests. Where the body of the request under way breaks off, what
   * works on that request learns why and answers it. Otherwise the client reads `answer`, whole with its head, once the
   * requests that came whole have theirs. Then the connection ends.
   */
  fail(socket: Socket, why: BrokenOff, answer: string): void {
    this.#lines.get(socket)?.fail(why, answer);
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

  #numberOf(peer: string): number {
    return this.#ofPeer.get(peer) ?? 0;
  }

  #close(socket: Socket): void {
    const line = this.#lines.get(socket);
    if (line === undefined) return;
    this.#lines.delete(socket);
    const left = this.#numberOf(line.peer) - 1;
    if (left > 0) this.#ofPeer.set(line.peer, left);
    else this.#ofPeer.delete(line.peer);
    line.cutOff();
  }

  /**
   * Cuts off a connection of the peer that has most: the one that has been idle for longest, or where none is and the
   * newcomer's peer has fewer the one that has been busy for longest. Returns whether there is room now.
   */
  #makeRoom(newcomer: string): boolean {
    let chosen: [Socket, Line] | null = null;
    for (const [socket, line] of this.#lines) {
      const more = chosen === null ? 1 : this.#numberOf(line.peer) - this.#numberOf(chosen[1].peer);
      if (more > 0 || (more === 0 && chosen?.[1].busy === true && !line.busy)) chosen = [socket, line];
    }
    if (chosen === null) return false;
    const [socket, { busy, peer }] = chosen;
    if (busy && this.#numberOf(peer) <= this.#numberOf(newcomer) + 1) return false;
    this.#close(socket);
    return true;
  }

  /** Takes note that so many bytes more are held, or fewer. One more than may be costs a connection. */
  #count(change: number): void {
    this.#held += change;
    if (change > 0 && this.#held > this.#bounds.heldBytes) this.#heaviest().cutOff();
  }

  /** The connection that holds most, of the peer whose connections do. */
  #heaviest(): Line {
    const byPeer = Map.groupBy(this.#lines.values(), ({ peer }) => peer);
    const held = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + line.held, 0);
    const [most = []] = [...byPeer.values()].toSorted((a, b) => held(b) - held(a));
    return most.reduce((a, b) => (a.held < b.held ? b : a));
  }
}

/** The requests of one connection, in the order in which they came. */
class Line {
  readonly peer: string;
  readonly #socket: Socket;
  readonly #intake: Intake;
  readonly #waiting: Turn[] = [];
  #current: Turn | null = null;
  #isNew = true;
  /** What the connection ends with, once it has been found to carry something other than requests. */
  #lastAnswer: string | null = null;
  #ended = false;

  /** @param onHeld is told how many bytes more, or less, are held */
  constructor(socket: Socket, peer: string, turns: ParserTurns, onHeld: (change: number) => void) {
    this.peer = peer;
    this.#socket = socket;
    const bodyToCome = (): number => this.#bodyToCome();
    const isInLargeChunks = (): boolean => this.#last?.isInLargeChunks === true;
    this.#intake = new Intake(socket, { turns, peer, bodyToCome, isInLargeChunks, onHeld });
    // Node would close the connection after its last answer; closed with something unread it is reset, and the answer
    // lost (RFC 9112 section 9.6).
    socket.destroySoon = () => this.#end();
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

  /** Bytes that have been read and not parsed yet. */
  get held(): number {
    return this.#intake.held;
  }

  enter(turn: Turn): void {
    this.#isNew = false;
    if (this.#lastAnswer !== null || !this.#socket.writable) return;
    if (this.#current === null) {
      this.#begin(turn);
    } else {
      this.#waiting.push(turn);
      this.#socket.pause();
    }
  }

  /** Ends the connection, whatever is under way on it. */
  cutOff(): void {
    this.#socket.destroy();
    this.#waiting.length = 0;
  }

  fail(why: BrokenOff, answer: string): void {
    if (this.#lastAnswer !== null) return;
    const last = this.#last;
    const isUnderWay = this.#waiting.length === 0 && last?.complete === false;
    this.#lastAnswer = isUnderWay ? "" : answer;
    if (isUnderWay) last.breakOff(why);
    else if (last?.complete === false) this.#waiting.pop();
    else if (this.#current === null) this.#end(answer);
  }

  /** Of what follows, the bytes of the last request's body; all of it, once it cannot be read as requests. */
  #bodyToCome(): number {
    if (this.#lastAnswer !== null) return Number.POSITIVE_INFINITY;
    return this.#last?.bodyToCome ?? 0;
  }

  /** The request that what follows belongs to. */
  get #last(): GatheredRequest | undefined {
    return (this.#waiting.at(-1) ?? this.#current)?.request;
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
    if (turn) this.#begin(turn);
    else if (this.#lastAnswer !== null) this.#end(this.#lastAnswer);
    if (this.#waiting.length === 0) this.#socket.resume();
  }

  /**
   * Ends this side, after `answer` if there is one more, and drops what the client still sends until it ends its own.
   */
  #end(answer = ""): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#waiting.length = 0;
    this.#socket.on("error", () => {});
    if (this.#socket.writable) this.#socket.end(answer);
    this.#intake.dropRest();
    this.#socket.resume();
    const linger = setTimeout(() => this.#socket.destroy(), LINGER_MS).unref();
    this.#socket.once("close", () => clearTimeout(linger));
  }
}
