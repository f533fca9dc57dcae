import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from "node:crypto";
import { open, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, readOrCreate, syncFolder } from "../durable-file.ts";
import { errorCode } from "../error-code.ts";
import type { PixelBuffer } from "./pixel-buffer.ts";

const CHUNK = 1 << 18;
const NONCE = 12;
const TAG = 16;
const ID_FILE = "pool-id";
const FILE_NAME = /^[0-9a-f]{32}$/;

/**
 * Query images on disk, between their upload and their answer: one file each, under a random name, encrypted with
 * a key of its own (AES-256-GCM: nonce, ciphertext, tag; bound to the file name). The keys are not here.
 */
export class QueryPool {
  /** Names the directory in the database, for several processes may each have one. */
  readonly id: string;
  readonly #directory: string;

  private constructor(directory: string, id: string) {
    this.#directory = directory;
    this.id = id;
  }

  /** Opens the pool of a data directory, making it if it is not there. */
  static async open(dataDir: string): Promise<QueryPool> {
    const directory = join(dataDir, "queries");
    await makeFolder(directory);
    await readOrCreate(join(directory, ID_FILE), randomUUID);
    return new QueryPool(directory, await readId(directory));
  }

  /** A name for a new file. */
  newFileName(): string {
    return randomBytes(16).toString("hex");
  }

  /** Writes an image and waits until the disk has it, its name included. */
  async write(fileName: string, key: Buffer, image: PixelBuffer): Promise<void> {
    await using file = await open(this.#path(fileName), "wx", 0o600);
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv("aes-256-gcm", key, nonce);
    cipher.setAAD(Buffer.from(fileName));
    await file.appendFile(nonce);
    for (const part of image.parts) await file.appendFile(cipher.update(part));
    cipher.final();
    await file.appendFile(cipher.getAuthTag());
    await file.sync();
    await syncFolder(this.#directory);
  }

  /**
   * Reads an image into what the caller has for it. False when there is no such file, or it is not what was written.
   * @throws Error when the disk does not let it be read, or the pool's directory is away: it may be there all the same
   */
  async read(fileName: string, key: Buffer, into: Pick<PixelBuffer, "append">): Promise<boolean> {
    await using file = await openIfThere(this.#path(fileName));
    if (file === null) {
      if (!(await this.#isThere())) throw new Error("The directory of the query pool is away.");
      return false;
    }
    const length = (await file.stat()).size;
    if (length < NONCE + TAG) return false;
    const decipher = createDecipheriv("aes-256-gcm", key, await readAt(file, 0, NONCE));
    decipher.setAAD(Buffer.from(fileName));
    decipher.setAuthTag(await readAt(file, length - TAG, TAG));
    for (let at = NONCE; at < length - TAG; at += CHUNK) {
      const plain = decipher.update(await readAt(file, at, Math.min(CHUNK, length - TAG - at)));
      try {
        into.append(plain);
      } finally {
        plain.fill(0);
      }
    }
    try {
      decipher.final();
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Deletes files, makes that survive a crash of the machine, and looks which are gone. A directory that is not there,
   * as when its volume is not mounted, proves nothing: none counts as gone then.
   */
  async delete(fileNames: readonly string[]): Promise<ReadonlySet<string>> {
    const gone = new Set<string>();
    if (fileNames.length === 0) return gone;
    for (const name of fileNames) await rm(this.#path(name), { force: true }).catch(() => undefined);
    const isSynced = await syncFolder(this.#directory).then(
      () => true,
      () => false,
    );
    if (!isSynced || !(await this.#isThere())) return gone;
    for (const name of fileNames) if (await isAbsent(this.#path(name))) gone.add(name);
    return gone;
  }

  /** Names of all files. */
  async list(): Promise<readonly string[]> {
    return (await readdir(this.#directory)).filter((name) => FILE_NAME.test(name));
  }

  /** Whether the directory is the one that was opened, and no other or none, as while its volume is not mounted. */
  #isThere(): Promise<boolean> {
    return readId(this.#directory).then(
      (id) => id === this.id,
      () => false,
    );
  }

  #path(fileName: string): string {
    if (!FILE_NAME.test(fileName)) throw new Error("That is no file name of the query pool.");
    return join(this.#directory, fileName);
  }
}

async function readId(directory: string): Promise<string> {
  const file = join(directory, ID_FILE);
  const id = (await readFile(file, "utf8")).trim();
  if (!/^[0-9a-f-]{36}$/.test(id)) throw new Error(`${file} holds no id; remove the file.`);
  return id;
}

function isAbsent(path: string): Promise<boolean> {
  return stat(path).then(
    () => false,
    (error: unknown) => errorCode(error) === "ENOENT",
  );
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, "r");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

type FileHandle = Awaited<ReturnType<typeof open>>;

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  if (bytesRead !== length) throw new Error("A file of the query pool changed while it was read.");
  return bytes;
}
