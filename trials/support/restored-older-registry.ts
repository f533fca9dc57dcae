import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { Client, type ClientConfig } from "pg";
import type { Answers, FurnishedRegistry } from "./furnished-registry.ts";

/** A registry as an older build left it, with what that build answered. */
export interface OlderRegistry {
  /** The build's. */
  readonly commit: string;
  readonly adminToken: string;
  readonly keyEncryptionKey: string;
  readonly registry: FurnishedRegistry;
  readonly answers: Answers;
  /** Its database, as pg_dump writes it. */
  readonly sql: string;
}

/** Puts an older registry's database into an empty one, what is under way as if it had begun just now. */
export async function restoreOlderRegistry(file: URL, database: ClientConfig): Promise<OlderRegistry> {
  const older = JSON.parse(String(gunzipSync(await readFile(file)))) as OlderRegistry;
  const client = new Client(database);
  await client.connect();
  try {
    await client.query(older.sql);
    await client.query(
      "update public.slot set expires_at = now() + interval '1 hour', ceiling_at = now() + interval '1 day'",
    );
  } finally {
    await client.end();
  }
  return older;
}
