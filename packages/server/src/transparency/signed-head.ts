import { mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { type Checkpoint, checkpointText, parseCheckpoint } from "@colophon/log";
import { errorCode } from "../error-code.ts";

/**
 * The largest tree that this process, or one before it, was about to sign: `<data dir>/log-signed`, the text of a checkpoint. It does not go back
 * with a backup of the database, so a tree that does not begin with it is known to have forgotten what was signed.
 */
export class SignedHead {
  readonly #path: string;

  constructor(dataDir: string) {
    this.#path = join(dataDir, "log-signed");
  }

  /** Null while nothing was signed. Throws, naming the file, where it is there and cannot be read: then nothing may be signed. */
  async read(): Promise<Checkpoint | null> {
    let text: string;
    try {
      text = await readFile(this.#path, "utf8");
    } catch (error) {
      if (errorCode(error) === "ENOENT") return null;
      throw error instanceof Error ? Object.assign(error, { path: this.#path }) : error;
    }
    try {
      return parseCheckpoint(text);
    } catch (error) {
      throw new Error(
        `${this.#path} holds no checkpoint: put a copy of it back, or remove it if the database was not set back since.`,
        { cause: error },
      );
    }
  }

  /** On the disk when it resolves, whole, in the place of what was there. */
  async write(checkpoint: Checkpoint): Promise<void> {
    const folder = join(this.#path, "..");
    const draft = `${this.#path}.${process.pid}`;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeDurably(draft, checkpointText(checkpoint));
    await rename(draft, this.#path);
    const directory = await open(folder);
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
