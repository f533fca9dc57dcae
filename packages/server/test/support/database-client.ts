import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Client } from "pg";

/** A connection to the embedded database under `dataDir`, past the service. */
export async function connectToEmbedded(dataDir: string): Promise<Client> {
  const cluster = join(dataDir, "postgres/cluster");
  // The fifth line of the server's state is its socket directory, relative to the cluster.
  const state = await readFile(join(cluster, "postmaster.pid"), "utf8");
  const host = resolve(cluster, state.split("\n")[4] ?? "");
  const client = new Client({ host, user: "colophon", database: "colophon" });
  await client.connect();
  return client;
}
