/** Any byte but zero: the allocator then overwrites what is freed with it. */
const PATTERN = 165;
/** Pieces of up to 1 KiB are set aside as they are, unless that is switched off. */
const TUNABLE = `glibc.malloc.perturb=${PATTERN}:glibc.malloc.tcache_count=0`;

/**
 * Has the C library overwrite memory as it is freed. The runtime makes buffers of its own, out of our reach, of what passes through
 * sockets and between threads; without this, freed ones keep a picture's bytes until something else is allocated there.
 * glibc reads the setting at the start of a process only, so the process replaces itself once, keeping its id.
 * Other C libraries do not know the setting, and nothing happens.
 */
export function eraseFreedMemory(environment: NodeJS.ProcessEnv): void {
  const tunables = environment["GLIBC_TUNABLES"] ?? "";
  if (process.platform !== "linux" || !process.execve || tunables.includes("glibc.malloc.perturb=")) return;
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    ...environment,
    GLIBC_TUNABLES: tunables === "" ? TUNABLE : `${tunables}:${TUNABLE}`,
  });
}
