import type { Config } from "../config/environment.ts";
import type { BodyBudget } from "../custody/body-budget.ts";
import type { QueryPool } from "../custody/query-pool.ts";
import type { Engine } from "../engine/port.ts";
import type { ServiceKeys } from "../keys/service-keys.ts";
import type { CallCounter } from "../store/accounts/call-counter.ts";
import type { Database } from "../store/database.ts";
import type { DiskReserve } from "../store/disk-reserve.ts";
import type { Intents } from "../store/custody/intents.ts";
import type { PublicLog } from "../store/log/public-log.ts";
import type { SlotClaims } from "../store/slots/slot-claims.ts";
import type { AnonymousTurns } from "./anonymous-turns.ts";

/** What the use cases work with; each takes by type only the parts it names. */
export interface Services {
  readonly config: Config;
  readonly database: Database;
  readonly intents: Intents;
  readonly engine: Engine;
  readonly keys: ServiceKeys;
  readonly bodies: BodyBudget;
  readonly calls: CallCounter;
  readonly claims: SlotClaims;
  readonly pool: QueryPool;
  readonly disk: DiskReserve;
  readonly anonymousTurns: AnonymousTurns;
  readonly publicLog: PublicLog;
}
