import { once } from "node:events";
import { createServer } from "node:net";
import { errorCode } from "../error-code.ts";
import { BadSetting } from "./bad-setting.ts";
import type { Config } from "./environment.ts";

/** An address to listen at, and the names of the settings that say so. */
export interface Listening {
  readonly host: string;
  readonly port: number;
  readonly settings: readonly [host: string, port: string];
}

/** Where the service listens: for callers, and for what scrapes its metrics where anything does. */
export function addresses({ host, port, metrics }: Config): {
  readonly callers: Listening;
  readonly scrapers: Listening | null;
} {
  return {
    callers: { host, port, settings: ["COLOPHON_HOST", "COLOPHON_PORT"] },
    scrapers: metrics ? { ...metrics, settings: ["COLOPHON_METRICS", "COLOPHON_METRICS"] } : null,
  };
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
    const code = errorCode(error);
    if (code === "EADDRINUSE") {
      throw new BadSetting(portSetting, `a free port, unlike ${port}, where something listens already`);
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

/**
 * Listens for a moment: a process that could not is told so before it has touched any data.
 * @throws BadSetting where there is no listening at the address
 */
export function tryListening(address: Listening): Promise<void> {
  const { host, port } = address;
  return listening(address, async () => {
    const server = createServer();
    server.listen({ host, port });
    await once(server, "listening");
    const closed = once(server, "close");
    server.close();
    await closed;
  });
}
