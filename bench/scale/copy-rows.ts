import { once } from "node:events";
import { finished } from "node:stream/promises";
import type { Client } from "pg";
import { type CopyStreamQuery, from } from "pg-copy-streams";

const CHUNK = 1 << 20;
const SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");

/**
 * Rows on their way into a table by binary COPY. Begin each row with `row`, then write its fields in order, and `drain`
 * now and then: between two drains everything is kept in memory.
 */
export class CopyRows {
  readonly #stream: CopyStreamQuery;
  #chunk = Buffer.allocUnsafe(CHUNK);
  #length: number;

  /** @param statement `copy ... from stdin with (format binary)` */
  constructor(client: Client, statement: string) {
    this.#stream = client.query(from(statement));
    this.#length = SIGNATURE.copy(this.#chunk);
  }

  row(fields: number): void {
    this.#chunk.writeInt16BE(fields, this.#room(2));
  }

  int4(value: number): void {
    const at = this.#room(8);
    this.#chunk.writeInt32BE(4, at);
    this.#chunk.writeInt32BE(value, at + 4);
  }

  bytes(value: Uint8Array): void {
    const at = this.#room(4 + value.length);
    this.#chunk.writeInt32BE(value.length, at);
    this.#chunk.set(value, at + 4);
  }

  /** Waits until the server keeps up. */
  async drain(): Promise<void> {
    if (this.#length < CHUNK / 2) return;
    await this.#send();
  }

  /** Ends the COPY; the rows are there when it resolves. */
  async end(): Promise<void> {
    this.#chunk.writeInt16BE(-1, this.#room(2));
    await this.#send();
    this.#stream.end();
    await finished(this.#stream);
  }

  /** Where the next `size` bytes go. */
  #room(size: number): number {
    const at = this.#length;
    this.#length += size;
    if (this.#length > this.#chunk.length) {
      const larger = Buffer.allocUnsafe(2 * this.#length);
      this.#chunk.copy(larger, 0, 0, at);
      this.#chunk = larger;
    }
    return at;
  }

  async #send(): Promise<void> {
    const full = this.#chunk.subarray(0, this.#length);
    this.#chunk = Buffer.allocUnsafe(CHUNK);
    this.#length = 0;
    if (!this.#stream.write(full)) await once(this.#stream, "drain");
  }
}
