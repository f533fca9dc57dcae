import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** What an answer's head begins with, its status as it ends. */
const STATUS_LINE = /HTTP\/1\.1 (\d{3}) /g;
const STATUS_LINE_LENGTH = "HTTP/1.1 200 ".length;

/** A connection on which bytes are written as they are, for requests that no HTTP client sends. */
export class RawConnection implements Disposable {
  readonly socket: Socket;
  readonly statuses: number[] = [];
  readonly #chunks: string[] = [];
  /** The end of what has been searched for answers: one may begin in it. */
  #tail = "";
  #news: PromiseWithResolvers<void> = Promise.withResolvers();

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (bytes: Buffer) => this.#receive(bytes.toString("latin1")));
    socket.on("error", () => {});
    for (const event of ["drain", "end", "close"]) socket.on(event, () => this.#tell());
  }

  /** @param localAddress of this machine's addresses the one that it comes from */
  static async open(baseUrl: string, localAddress?: string): Promise<RawConnection> {
    const { hostname, port } = new URL(baseUrl);
    const from = localAddress === undefined ? {} : { localAddress };
    const socket = connect({ host: hostname, port: Number(port), ...from });
    await once(socket, "connect");
    return new RawConnection(socket);
  }

  /** What has come back so far. */
  get received(): string {
    return this.#chunks.join("");
  }

  /** Whether the connection has ended, by either side. */
  get ended(): boolean {
    return this.socket.destroyed || this.socket.readableEnded;
  }

  write(bytes: string | Uint8Array): void {
    if (this.socket.writable) this.socket.write(bytes);
  }

  /** Waits until what was written is on its way, or the connection has ended. */
  async room(): Promise<void> {
    while (this.socket.writableNeedDrain && !this.ended) await this.news();
  }

  /** Waits for anything: an answer, an end, or room to write more. */
  news(): Promise<void> {
    return this.#news.promise;
  }

  /** Waits until so many answers have come, or the connection has ended. Returns their statuses, in order. */
  async answers(count: number): Promise<readonly number[]> {
    while (this.statuses.length < count && !this.ended) await this.news();
    return this.statuses;
  }

  /** Waits until the connection has ended. */
  async end(): Promise<void> {
    while (!this.ended) await this.news();
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }

  #receive(text: string): void {
    this.#chunks.push(text);
    const searched = this.#tail + text;
    for (const [, status] of searched.matchAll(STATUS_LINE)) this.statuses.push(Number(status));
    this.#tail = searched.slice(1 - STATUS_LINE_LENGTH);
    this.#tell();
  }

  #tell(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}
