import { sql } from "kysely";
import type { Database } from "../store/database.ts";
import { BadSetting } from "./environment.ts";

/**
 * Asks the database that a setting names for a sign of life, so that what keeps a process out of it is told with its setting.
 * @throws BadSetting where it gives none
 */
export async function tryDatabase(database: Database): Promise<void> {
  try {
    await sql`select 1`.execute(database);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BadSetting("COLOPHON_DATABASE_URL", `a PostgreSQL that lets this process in: ${reason}`);
  }
}
