/** Any byte but zero: the allocator then overwrites what is freed with it. */
const PATTERN = 165;
const TUNABLE = `glibc.malloc.perturb=${PATTERN}`;

/**
 * Has the C library overwrite memory as it is freed. The image decoders keep decoded pixels in buffers of their
 * own, out of our reach; without this, freed ones keep a picture's pixels until something else is allocated there.
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
