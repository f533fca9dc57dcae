import { createReadStream, type ReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { blake3Hex } from "@colophon/formats";
import { createTarDecoder, type ParsedTarEntry } from "modern-tar";
import { errorCode } from "../error-code.ts";
import {
  type BackupHeader,
  CHECKSUMS_BYTES,
  CHECKSUMS_NAME,
  checksumLine,
  HEADER_NAME,
  MEMBER_BYTES,
  parseHeader,
  tableOf,
} from "./format.ts";

/** A piece of the rows of a table. */
export interface Piece {
  readonly table: string;
  readonly bytes: Buffer;
}

/**
 * A backup being read from its beginning to its end, a member at a time. Disposing it lets go of its file, wherever the
 * reading is.
 */
export class BackupReader implements Disposable {
  readonly header: BackupHeader;
  readonly #source: ReadStream;
  readonly #members: AsyncIterator<ParsedTarEntry>;
  #checksums: string;

  private constructor(source: ReadStream, members: AsyncIterator<ParsedTarEntry>, header: Buffer) {
    this.#source = source;
    this.#members = members;
    this.header = parseHeader(header);
    this.#checksums = checksumLine(blake3Hex(header), HEADER_NAME);
  }

  /** @throws Error with one clear line when the file is no backup, or of a later version */
  static async open(file: string, signal: AbortSignal): Promise<BackupReader> {
    const source = createReadStream(file, { signal });
    using opening = new DisposableStack();
    opening.defer(() => source.destroy());
    const bytes: ReadableStream<Uint8Array> = Readable.toWeb(source);
    const members = bytes.pipeThrough(createTarDecoder({ strict: true }))[Symbol.asyncIterator]();
    const first = await inArchive(members.next(), NO_BACKUP);
    if (first.done === true || first.value.header.name !== HEADER_NAME) throw new Error(NO_BACKUP);
    const reader = new BackupReader(source, members, await bytesOf(first.value, MEMBER_BYTES));
    opening.move();
    return reader;
  }

  /**
   * Reads a backup to its end for nothing but its checksums. What is no file, a pipe, can be read but once and is
   * passed over.
   * @throws Error with one clear line when it is no backup, cut off or damaged
   */
  static async assertWhole(file: string, signal: AbortSignal): Promise<void> {
    if (!(await stat(file)).isFile()) return;
    using backup = await BackupReader.open(file, signal);
    for await (const _ of backup.pieces()) continue;
  }

  /**
   * The pieces of all tables, in their order. Ends only when all that the backup held has come, as it was written.
   * @throws Error when the file is cut off or damaged; what came before is worth nothing then
   */
  async *pieces(): AsyncGenerator<Piece> {
    for (;;) {
      const next = await inArchive(this.#members.next(), BROKEN);
      if (next.done === true) throw new Error("The backup is cut off.");
      const { name } = next.value.header;
      if (name === CHECKSUMS_NAME) {
        const written = await bytesOf(next.value, CHECKSUMS_BYTES);
        if (written.toString("utf8") !== this.#checksums) throw new Error(DAMAGED);
        return;
      }
      const table = tableOf(name);
      if (table === null) throw new Error(DAMAGED);
      const bytes = await bytesOf(next.value, MEMBER_BYTES);
      this.#checksums += checksumLine(blake3Hex(bytes), name);
      yield { table, bytes };
    }
  }

  [Symbol.dispose](): void {
    this.#source.destroy();
  }
}

const NO_BACKUP = "The file is not a backup of Colophon.";
const BROKEN = "The backup is cut off, or damaged.";
const DAMAGED = "The backup is damaged: its checksums are not those that it was written with.";

async function bytesOf({ header, body }: ParsedTarEntry, most: number): Promise<Buffer> {
  if (header.size > most) throw new Error(DAMAGED);
  return inArchive(buffer(body), BROKEN);
}

/**
 * Reads on in the archive.
 * @throws Error with this sentence where what follows is no archive; an error of the system itself
 */
async function inArchive<T>(read: Promise<T>, sentence: string): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (errorCode(error) !== undefined) throw error;
    throw new Error(sentence, { cause: error });
  }
}
