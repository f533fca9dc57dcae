import { readConfig, readSecrets } from "../config/environment.ts";
import { openedDeployment, type Out, reporting } from "../operator-command.ts";
import { type Database, writing } from "../store/database.ts";
import {
  beginParts,
  countParts,
  type IndexPart,
  joinParts,
  partsUnderWay,
} from "../store/index/index-parts.ts";
import { PartServer } from "../store/index/part-server.ts";
import { gatherPostings } from "../store/index/posting-lists.ts";

/** What to split, and who takes it. */
export interface SplitOptions {
  /** Addresses, `postgresql://user@host:port/database`; each server takes an equal range of the originals. */
  readonly servers: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * Moves the postings that are in lists on the deployment's own server to others, while its service runs or not.
 * Interrupted or killed, it goes on when it is run again with the same servers; until it has come to its end, look-ups
 * are answered as before.
 * @returns the exit code: 0 when the other servers count them, 1 when all is still counted where it was
 */
export function runSplit(
  environment: NodeJS.ProcessEnv,
  { servers, signal }: SplitOptions,
  out: Out = process.stdout,
): Promise<number> {
  return reporting({ out, otherwise: "The index is as it was", signal }, async () => {
    await using stack = new AsyncDisposableStack();
    const database = await databaseOf(environment, stack);
    const others = new Map<string, PartServer>();
    for (const url of servers) {
      const server = stack.use(await PartServer.connect(url));
      others.set(server.foreign.address, server);
    }
    if (others.size < servers.length) throw new Error("A server is named twice.");
    for (const part of await partsToCopy(database, [...others.values()], signal)) {
      out.write(`${rangeOf(part)}: copying to ${part.address}\n`);
      await serverOf(part, others).copy(database, part, signal);
    }
    await countParts(database);
    out.write("The other servers count them from now on.\n");
  });
}

/**
 * Takes all postings back from other servers, out of what the deployment's own server knows: the others are not asked,
 * and may be lost.
 * @returns the exit code: 0 when this server counts all, 1 when all is as it was
 */
export function runJoin(environment: NodeJS.ProcessEnv, out: Out = process.stdout): Promise<number> {
  return reporting({ out, otherwise: "The index is as it was" }, async () => {
    await using stack = new AsyncDisposableStack();
    const database = await databaseOf(environment, stack);
    const parts = await writing(database, joinParts);
    if (parts.length === 0) out.write("No part of the index is on another server.\n");
    for (const part of parts) {
      out.write(`${rangeOf(part)}: back from ${part.address}, where schema ${part.name} can be dropped\n`);
    }
  });
}

/** Those of an earlier run that was interrupted, else new ones. */
async function partsToCopy(
  database: Database,
  servers: readonly PartServer[],
  signal: AbortSignal,
): Promise<readonly IndexPart[]> {
  const underWay = await partsUnderWay(database);
  if (underWay.length === 0) {
    while ((await gatherPostings(database)) > 0) signal.throwIfAborted();
    return beginParts(
      database,
      servers.map(({ foreign }) => foreign),
    );
  }
  const named = servers.map(({ foreign }) => foreign.address).toSorted();
  const begun = underWay.map(({ address }) => address).toSorted();
  if (named.join() !== begun.join()) {
    throw new Error(
      `A copy to ${begun.join(" and ")} is under way: name the same servers, or give it up with colophon index join.`,
    );
  }
  return underWay;
}

function serverOf({ address }: IndexPart, servers: ReadonlyMap<string, PartServer>): PartServer {
  const server = servers.get(address);
  if (server === undefined) throw new Error(`${address} is not among the servers named.`);
  return server;
}

function rangeOf({ beginsAt, endsAt }: IndexPart): string {
  return `originals ${beginsAt} to ${endsAt - 1}`;
}

function databaseOf(environment: NodeJS.ProcessEnv, stack: AsyncDisposableStack): Promise<Database> {
  return openedDeployment(stack, readConfig(environment).dataDir, readSecrets(environment).databaseUrl);
}
