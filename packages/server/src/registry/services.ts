import type { Config } from "../config/environment.ts";
import type { PixelBudget } from "../custody/pixel-budget.ts";
import type { QueryPool } from "../custody/query-pool.ts";
import type { Engine } from "../engine/port.ts";
import type { ServiceKeys } from "../keys/service-keys.ts";
import type { Database } from "../store/database.ts";
import type { Intents } from "../store/intents.ts";
import type { SlotClaims } from "../store/slot-claims.ts";

/** What the use cases work with; each takes by type only the parts it names. */
export interface Services {
  readonly config: Config;
  readonly database: Database;
  readonly intents: Intents;
  readonly engine: Engine;
  readonly keys: ServiceKeys;
  readonly pixels: PixelBudget;
  readonly claims: SlotClaims;
  readonly pool: QueryPool;
}
