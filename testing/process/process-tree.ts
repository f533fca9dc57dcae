import { readdirSync, readFileSync } from "node:fs";

/** A running process (Linux). */
export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  /** The program's own name, at most 15 characters. */
  readonly name: string;
}

/** Memory of some processes in MiB: what they alone hold, and their share of what they hold with others. */
export interface MemoryShare {
  /** Written and private: heaps, stacks, buffers. */
  readonly anonymous: number;
  /** Proportional set: pages that several processes map are divided among them. */
  readonly proportional: number;
}

/** A process and all that it started, directly or not; empty when it is gone. Zombies are left out. */
export function processTree(root: number): readonly RunningProcess[] {
  const all = runningProcesses();
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}

function runningProcesses(): RunningProcess[] {
  return readdirSync("/proc").flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    const stat = read(`/proc/${entry}/stat`);
    const nameEnd = stat.lastIndexOf(")");
    const [state, parent] = stat.slice(nameEnd + 2).split(" ");
    if (state === undefined || parent === undefined || state === "Z") return [];
    const name = stat.slice(stat.indexOf("(") + 1, nameEnd);
    return [{ pid: Number(entry), parent: Number(parent), name }];
  });
}

/** What these processes hold together; one that has ended meanwhile counts nothing. */
export function memoryShare(pids: readonly number[]): MemoryShare {
  let [anonymous, proportional] = [0, 0];
  for (const pid of pids) {
    const text = read(`/proc/${pid}/smaps_rollup`);
    const of = (field: string): number =>
      Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? 0) / 1024;
    anonymous += of("Anonymous");
    proportional += of("Pss");
  }
  return { anonymous, proportional };
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
