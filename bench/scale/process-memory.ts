import { readdirSync, readFileSync } from "node:fs";

/** Memory of a process and of its children, what they share counted once, MiB (Linux). */
export function familyMemory(pid: number): number {
  const family = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isOf(name, pid));
  return family.reduce((sum, name) => sum + processMemory(Number(name)), 0);
}

/** Memory of a process, what it shares counted in part, MiB; 0 when it has ended (Linux). */
export function processMemory(pid: number): number {
  const kibibytes = /Pss:\s+(\d+)/.exec(readIfThere(`/proc/${pid}/smaps_rollup`))?.[1];
  return Number(kibibytes ?? 0) / 1024;
}

function isOf(name: string, pid: number): boolean {
  const stat = readIfThere(`/proc/${name}/stat`);
  const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(name) === pid || Number(parent) === pid;
}

/** Processes end while they are looked at. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
