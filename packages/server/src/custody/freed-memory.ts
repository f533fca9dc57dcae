/** Any byte but zero: the allocator then overwrites what is freed with it. */
const PATTERN = 165;
/** From so many bytes on a piece is memory of its own, which goes back to the system when it is freed. */
const OWN_MEMORY_BYTES = 131_072;
const TUNABLES = [
  `glibc.malloc.perturb=${PATTERN}`,
  // Pieces of up to 1 KiB are set aside as they are, unless that is switched off.
  "glibc.malloc.tcache_count=0",
  // Left to itself the bound grows with what is freed, and large bodies leave memory behind in which little is in use.
  `glibc.malloc.mmap_threshold=${OWN_MEMORY_BYTES}`,
].join(":");

/**
 * Has the C library overwrite memory as it is freed, and return large pieces to the system. The runtime makes buffers of its own,
 * out of our reach, of what passes through sockets and between threads; without this, freed ones keep a picture's bytes until
 * something else is allocated there.
 * glibc reads the settings at the start of a process only, so the process replaces itself once, keeping its id.
 * Other C libraries do not know them, and nothing happens.
 */
export function eraseFreedMemory(environment: NodeJS.ProcessEnv): void {
  const tunables = environment["GLIBC_TUNABLES"] ?? "";
  if (process.platform !== "linux" || !process.execve || tunables.includes("glibc.malloc.perturb=")) return;
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    ...environment,
    GLIBC_TUNABLES: tunables === "" ? TUNABLES : `${tunables}:${TUNABLES}`,
  });
}
