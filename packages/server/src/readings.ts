import type { Config } from "./config/environment.ts";
import type { BodyBudget } from "./custody/body-budget.ts";
import type { QueryPool } from "./custody/query-pool.ts";
import type { Engine } from "./engine/port.ts";
import type { Database } from "./store/database.ts";
import { checkpointAge } from "./store/log/checkpoints.ts";
import { countPending, longestWait } from "./store/log/entries.ts";
import { countUnverified } from "./store/slots/pooled-queries.ts";
import type { Sweeper } from "./sweeps/sweeper.ts";
import type { Reading } from "./metrics/metrics.ts";

/** The parts of the service that are read when the metrics are asked for. */
interface Read {
  readonly config: Pick<Config, "log">;
  readonly engine: Pick<Engine, "queueLength">;
  readonly bodies: Pick<BodyBudget, "used">;
  readonly database: Database;
  readonly pool: Pick<QueryPool, "id">;
  readonly sweeper: Pick<Sweeper, "ages">;
}

/** Figures that are read when they are asked for. */
export function readings({ config, engine, bodies, database, pool, sweeper }: Read): readonly Reading[] {
  return [
    {
      name: "colophon_log_pending",
      help: "Publications and take-downs without a place in the transparency log.",
      read: () => (config.log ? countPending(database) : null),
    },
    {
      name: "colophon_log_checkpoint_age_seconds",
      help: "Time since the latest checkpoint of the transparency log was signed.",
      read: () => (config.log ? checkpointAge(database) : null),
    },
    {
      name: "colophon_log_wait_seconds",
      help: "Age of the oldest publication or take-down without a place in the transparency log.",
      read: () => (config.log ? longestWait(database) : null),
    },
    {
      name: "colophon_queue_length",
      help: "Pictures that wait for a place in the engine.",
      read: () => engine.queueLength,
    },
    {
      name: "colophon_posted_bytes",
      help: "Bytes of request bodies in memory.",
      read: () => bodies.used,
    },
    {
      name: "colophon_database_connections",
      help: "Connections to the database that are idle or active, and statements waiting for one.",
      label: "state",
      read: () => {
        const { total, idle, waiting } = database.pool.counts;
        return { idle, active: total - idle, waiting };
      },
    },
    {
      name: "colophon_sweep_age_seconds",
      help: "Time since a sweep last went through.",
      label: "sweep",
      read: () => sweeper.ages(),
    },
    {
      name: "colophon_deletions_unverified",
      help: "Query images whose deletion from this data directory could not be verified yet.",
      read: () => countUnverified(database, pool.id),
    },
  ];
}
