import { BadSetting } from "./environment.ts";

/** An address to listen at, and the names of the settings that say so. */
interface Listening {
  readonly host: string;
  readonly port: number;
  readonly settings: readonly [host: string, port: string];
}

/**
 * Begins to listen.
 * @throws BadSetting where there is no listening at the address
 */
export async function listening<T>({ host, port, settings }: Listening, begin: () => Promise<T>): Promise<T> {
  const [hostSetting, portSetting] = settings;
  try {
    return await begin();
  } catch (error) {
    const { code }: Partial<NodeJS.ErrnoException> = error instanceof Error ? error : {};
    if (code === "EADDRINUSE") {
      throw new BadSetting(portSetting, `a free port, and another process listens at ${port}`);
    }
    if (code === "EACCES") {
      throw new BadSetting(portSetting, `a port that this user may listen at, unlike ${port}`);
    }
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
      throw new BadSetting(hostSetting, `an address of this machine, unlike ${host}`);
    }
    throw error;
  }
}
