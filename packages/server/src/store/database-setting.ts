import { BadSetting } from "../config/bad-setting.ts";
import { connectionFailure } from "./connection-failure.ts";
import type { Database } from "./database.ts";

/**
 * Connects to the database that a setting names, so that what keeps a process out of it is told with the setting.
 * @throws BadSetting where there is no connecting
 */
export async function tryDatabase(database: Database): Promise<void> {
  try {
    const client = await database.pool.connect();
    client.release();
  } catch (error) {
    throw new BadSetting(
      "COLOPHON_DATABASE_URL",
      `a PostgreSQL that lets this process in: ${connectionFailure(error)}`,
    );
  }
}
