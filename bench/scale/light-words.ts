import { sql } from "kysely";
import type { Database } from "../../packages/server/src/store/database.ts";
import { heaviestWords } from "../../packages/server/src/store/index/heavy-words.ts";

/** Those of some words that a look-up asks for, the heaviest left out. */
export async function lightWords(database: Database, words: Int32Array): Promise<readonly number[]> {
  const { rows } = await heaviestWords(sql`word = any(${[...words]}::int[])`).execute(database);
  const heaviest = new Set(rows.map(({ word }) => word));
  return [...words].filter((word) => !heaviest.has(word));
}
