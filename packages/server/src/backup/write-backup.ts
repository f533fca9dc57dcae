import { createWriteStream } from "node:fs";
import { link, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { blake3Hex } from "@colophon/formats";
import { createTarPacker, type TarPackController } from "modern-tar";
import { syncFolder } from "../durable-file.ts";
import { errorCode } from "../error-code.ts";
import type { Database } from "../store/database.ts";
import { appliedMigrations } from "../store/migrate.ts";
import { sequenceValues, storedTables } from "../store/whole/catalog.ts";
import { copyOut } from "../store/whole/copy.ts";
import { onOneConnection, type OpenTransaction } from "../store/whole/one-connection.ts";
import { VERSION } from "../version.ts";
import {
  type BackupHeader,
  CHECKSUMS_NAME,
  checksumLine,
  HEADER_NAME,
  MEMBER_BYTES,
  pieceName,
} from "./format.ts";
import type { SealedKey } from "./key-seal.ts";

/** What a backup holds, and what it cannot hold. */
export interface BackupSummary {
  readonly tables: number;
  readonly bytes: number;
}

/** How a folder takes no more of a file; what fails while it is written names neither. */
const NO_ROOM: Readonly<Record<string, string>> = {
  ENOSPC: "There is no room left",
  EDQUOT: "The quota leaves no room",
  EFBIG: "No file may be as large",
};

/**
 * Writes one snapshot of the database to a file, which appears whole, or not at all. The service may go on meanwhile.
 * @throws Error when the file is there, or cannot be written
 */
export async function writeBackup(
  database: Database,
  options: { readonly file: string; readonly key: SealedKey | null; readonly signal: AbortSignal },
): Promise<BackupSummary> {
  const { file, key, signal } = options;
  const draft = `${file}.${process.pid}.part`;
  try {
    const summary = await onOneConnection(
      database,
      { isolation: "repeatable read", readOnly: true },
      (transaction) => packAll(transaction, { draft, key, signal }),
    );
    // Never in the place of another.
    await link(draft, file);
    await syncFolder(dirname(file));
    return summary;
  } catch (error) {
    const fault = NO_ROOM[errorCode(error) ?? ""];
    if (fault === undefined) throw error;
    const folder = resolve(dirname(file));
    throw new Error(`${fault} in ${folder}; the unfinished backup was removed.`, { cause: error });
  } finally {
    await rm(draft, { force: true });
  }
}

async function packAll(
  { write: read, client }: OpenTransaction,
  { draft, key, signal }: { draft: string; key: SealedKey | null; signal: AbortSignal },
): Promise<BackupSummary> {
  const tables = await storedTables(read);
  const header: BackupHeader = {
    format: "colophon-backup",
    version: 1,
    madeBy: VERSION,
    madeAt: new Date().toISOString(),
    migrations: await appliedMigrations(read),
    tables,
    sequences: await sequenceValues(read),
    key,
  };
  const { readable, controller } = createTarPacker();
  const members = new Members(controller);
  const fill = async (): Promise<void> => {
    await members.add(HEADER_NAME, Buffer.from(`${JSON.stringify(header, undefined, 2)}\n`));
    for (const table of tables) {
      let piece = 0;
      for await (const rows of pieces(copyOut(client, table))) {
        piece += 1;
        await members.add(pieceName(table.name, piece), rows);
      }
    }
    await members.end();
  };
  const sink = createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true });
  const written = pipeline(Readable.fromWeb(readable), sink, { signal });
  await Promise.all([
    written,
    fill().catch((error: unknown) => {
      controller.error(error);
      throw error;
    }),
  ]);
  return { tables: tables.length, bytes: sink.bytesWritten };
}

/** The members of the archive, each with its checksum. */
class Members {
  readonly #controller: TarPackController;
  #checksums = "";

  constructor(controller: TarPackController) {
    this.#controller = controller;
  }

  async add(name: string, bytes: Buffer): Promise<void> {
    this.#checksums += checksumLine(blake3Hex(bytes), name);
    await this.#write(name, bytes);
  }

  async end(): Promise<void> {
    await this.#write(CHECKSUMS_NAME, Buffer.from(this.#checksums));
    this.#controller.finalize();
  }

  async #write(name: string, bytes: Buffer): Promise<void> {
    const writer = this.#controller.add({ name, size: bytes.length, mode: 0o600 }).getWriter();
    if (bytes.length > 0) await writer.write(bytes);
    await writer.close();
  }
}

/** Bytes in pieces of `MEMBER_BYTES`, the last one shorter. */
async function* pieces(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const chunk of rows) {
    for (let rest = chunk; rest.length > 0; ) {
      const part = rest.subarray(0, MEMBER_BYTES - length);
      rest = rest.subarray(part.length);
      held.push(part);
      length += part.length;
      if (length < MEMBER_BYTES) continue;
      yield Buffer.concat(held);
      held = [];
      length = 0;
    }
  }
  if (length > 0) yield Buffer.concat(held);
}
