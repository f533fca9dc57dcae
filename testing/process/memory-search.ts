import { type FileHandle, open, readFile } from "node:fs/promises";

const WINDOW_BYTES = 16 << 20;

/**
 * How often each of these byte strings stands in the writable memory of a process; zeroes for one that is gone (Linux).
 * @param shared whether memory that it shares with others is searched too
 */
export async function timesInMemory(
  pid: number,
  markers: readonly Buffer[],
  shared = true,
): Promise<number[]> {
  const found = markers.map(() => 0);
  const maps = await readFile(`/proc/${pid}/maps`, "utf8").catch(() => "");
  await using memory = await openIfThere(`/proc/${pid}/mem`);
  if (maps === "" || memory === null) return found;
  for (const line of maps.split("\n")) {
    const [, from, to, kind] = /^([0-9a-f]+)-([0-9a-f]+) rw.([ps])/.exec(line) ?? [];
    if (from === undefined || to === undefined || (kind === "s" && !shared)) continue;
    await searchRange(memory, Number.parseInt(from, 16), Number.parseInt(to, 16), markers, found);
  }
  return found;
}

/** Opens a file for reading; null when it is not there, as those of a process that has ended. */
export async function openIfThere(path: string): Promise<FileHandle | null> {
  return open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ESRCH") return null;
    throw error;
  });
}

async function searchRange(
  memory: FileHandle,
  from: number,
  to: number,
  markers: readonly Buffer[],
  found: number[],
): Promise<void> {
  const window = Buffer.alloc(WINDOW_BYTES);
  const overlap = Math.max(...markers.map(({ length }) => length));
  for (let at = from; at < to; at += window.length - overlap) {
    const read = await memory.read(window, 0, Math.min(window.length, to - at), at).catch(() => null);
    if (read === null) break;
    const bytes = window.subarray(0, read.bytesRead);
    for (const [index, marker] of markers.entries()) {
      for (let place = bytes.indexOf(marker); place >= 0; place = bytes.indexOf(marker, place + 1)) {
        found[index] = (found[index] ?? 0) + 1;
      }
    }
  }
}
