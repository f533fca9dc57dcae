import { join } from "node:path";
import { type Checkpoint, checkpointText, parseCheckpoint } from "@colophon/log";
import { readIfThere, replace } from "../durable-file.ts";

/**
 * The largest tree that this process, or one before it, was about to sign: `<data dir>/log-signed`, the text of a
 * checkpoint. It does not go back with a backup of the database, so a tree that does not begin with it is known to have
 * forgotten what was signed.
 */
export class SignedHead {
  readonly #path: string;

  constructor(dataDir: string) {
    this.#path = join(dataDir, "log-signed");
  }

  /**
   * Null while nothing was signed. Throws, naming the file, where it is there and cannot be read: then nothing may be
   * signed.
   */
  async read(): Promise<Checkpoint | null> {
    const text = await readIfThere(this.#path);
    if (text === null) return null;
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
  write(checkpoint: Checkpoint): Promise<void> {
    return replace(this.#path, checkpointText(checkpoint));
  }
}
