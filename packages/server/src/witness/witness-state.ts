import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  judgeCheckpoint,
  type Note,
  type TreeHead,
  type VerifierKey,
  type WitnessVerdict,
  writeNote,
} from "@colophon/log";
import { messageOf } from "../error-message.ts";

/** What was made of a request: the verdict, and with a 200 the line that cosigns. */
export type Witnessed =
  | { readonly status: 200; readonly line: string }
  | Exclude<WitnessVerdict, { readonly status: 200 }>;

/**
 * The last tree of each log that a witness has signed, in one SQLite file: judged, kept and signed in one transaction,
 * whichever process.
 */
export class WitnessState implements Disposable {
  readonly #database: DatabaseSync;

  /** @param folder made when it is missing */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, "witness.sqlite");
    try {
      this.#database = new DatabaseSync(path, { timeout: 5_000 });
      this.#database.exec(`pragma synchronous = full;
        create table if not exists seen (
          origin text primary key, size integer not null, root blob not null, name text not null, note text not null
        ) strict`);
    } catch (error) {
      throw new Error(`${path}: ${messageOf(error)}`, { cause: error });
    }
  }

  /**
   * Judges an add-checkpoint request; a tree that is taken is on the disk before its cosignature is answered.
   * @param cosign makes the line that signs a note's text
   */
  add(body: string, logs: readonly VerifierKey[], cosign: (note: Note) => string): Witnessed {
    this.#database.exec("begin immediate");
    try {
      const verdict = judgeCheckpoint(body, logs, (origin) => this.#seen(origin));
      if (verdict.status !== 200) {
        this.#database.exec("rollback");
        return verdict;
      }
      const line = cosign(verdict.note);
      const { origin, size, root } = verdict.checkpoint;
      this.#database
        .prepare("insert or replace into seen (origin, size, root, name, note) values (?, ?, ?, ?, ?)")
        .run(origin, size, root, nameOf(origin), writeNote(verdict.note) + line);
      this.#database.exec("commit");
      return { status: 200, line };
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("rollback");
      throw error;
    }
  }

  /** The checkpoint signed last of the log whose origin has this SHA-256 (hex), with the cosignature; null for none. */
  checkpoint(name: string): string | null {
    const row = this.#database.prepare("select note from seen where name = ?").get(name);
    return typeof row?.["note"] === "string" ? row["note"] : null;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  #seen(origin: string): TreeHead | null {
    const row = this.#database.prepare("select size, root from seen where origin = ?").get(origin);
    return row?.["root"] instanceof Uint8Array ? { size: Number(row["size"]), root: row["root"] } : null;
  }
}

function nameOf(origin: string): string {
  return createHash("sha256").update(origin).digest("hex");
}
