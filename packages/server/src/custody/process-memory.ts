/** Any byte but zero: the allocator then overwrites what is freed with it. */
const PATTERN = 165;
/**
 * From so many bytes on a piece is memory of its own, which goes back to the system when it is freed. What workers take
 * of a picture is less.
 */
const OWN_MEMORY_BYTES = 3_145_728;
/** So much stays for the next picture once it is free: the system is slow to give memory. */
const KEPT_BYTES = 8_388_608;
const TUNABLES = [
  `glibc.malloc.perturb=${PATTERN}`,
  // Pieces of up to 1 KiB are set aside as they are, unless that is switched off.
  "glibc.malloc.tcache_count=0",
  // Left to itself the bound grows with what is freed, and large bodies leave memory behind in which little is in use.
  `glibc.malloc.mmap_threshold=${OWN_MEMORY_BYTES}`,
  `glibc.malloc.trim_threshold=${KEPT_BYTES}`,
  // Every thread would get an arena of its own, and none of them takes what another has free.
  "glibc.malloc.arena_max=2",
].join(":");
/**
 * How far the heap of each thread grows before it is collected, MB, and then how much beyond what was in use, percent.
 * V8 goes by the machine's memory and would let each hold some hundred MB of what nobody uses any more, and small
 * buffers of as much beside it, which leave the C library's memory in pieces. What is in use may grow further.
 */
const HEAPS = [
  "--initial-old-space-size=24",
  "--max-semi-space-size=4",
  "--heap-growing-percent=40",
] as const;
/**
 * Functions are compiled for their next call, not for a loop that they are in: that code is thrown away once what
 * follows the loop has not been seen before, and compiled again, some dozen functions of a picture's way several times
 * over.
 */
const COMPILING = "--no-use-osr";

/**
 * Has the C library overwrite memory as it is freed, both it and V8 hold little that is not in use, and V8 compile
 * less. The runtime makes buffers of its own, out of our reach, of what passes through sockets and between threads;
 * without this, freed ones keep a picture's bytes until something else is allocated there. Both read the settings at
 * the start of a process only, so the process replaces itself once, keeping its id; options of V8 that it was started
 * with come after ours, and win. C libraries other than glibc do not know the settings, and nothing happens.
 */
export function settleProcessMemory(environment: NodeJS.ProcessEnv): void {
  const tunables = environment["GLIBC_TUNABLES"] ?? "";
  if (process.platform !== "linux" || !process.execve || tunables.includes("glibc.malloc.perturb=")) return;
  process.execve(
    process.execPath,
    [process.execPath, ...HEAPS, COMPILING, ...process.execArgv, ...process.argv.slice(1)],
    {
      ...environment,
      GLIBC_TUNABLES: tunables === "" ? TUNABLES : `${tunables}:${TUNABLES}`,
    },
  );
}
