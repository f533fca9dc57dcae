import type { Unreadiness } from "@colophon/contract";
import type { Engine } from "./engine/port.ts";
import type { DatabaseWatch } from "./store/database-watch.ts";
import type { DiskReserve } from "./store/disk-reserve.ts";

/** What a process needs to answer requests. It listens only once its migrations are done. */
interface Needs {
  readonly watch: Pick<DatabaseWatch, "isPrompt">;
  readonly engine: Pick<Engine, "isAlive">;
  readonly disk: Pick<DiskReserve, "isFree">;
  readonly isStopping: boolean;
}

/** Why this process should get no requests at the moment; empty when it should. Waits for nothing. */
export function unreadiness({ watch, engine, disk, isStopping }: Needs): readonly Unreadiness[] {
  const reasons: [Unreadiness, boolean][] = [
    ["databaseAway", !watch.isPrompt],
    ["engineDown", !engine.isAlive],
    ["diskReserveUsedUp", !disk.isFree],
    ["stopping", isStopping],
  ];
  return reasons.flatMap(([reason, holds]) => (holds ? [reason] : []));
}
