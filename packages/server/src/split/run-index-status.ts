import { readConfig, readSecrets } from "../config/environment.ts";
import { openedDeployment, type Out, reporting } from "../operator-command.ts";
import type { Database } from "../store/database.ts";
import { type IndexPart, indexParts, ownPostings, whyAway } from "../store/index/index-parts.ts";
import { removalsLeft } from "../store/index/posting-removals.ts";

/**
 * Says where the postings of a deployment are, and whether all servers that count some answer.
 * @returns the exit code: 0 when all of the index is counted, 1 when a server is away or a copy was not finished
 */
export function runIndexStatus(environment: NodeJS.ProcessEnv, out: Out = process.stdout): Promise<number> {
  return reporting({ out, otherwise: "Not all of the index is counted as it should be" }, async () => {
    await using stack = new AsyncDisposableStack();
    const { dataDir } = readConfig(environment);
    const database = await openedDeployment(stack, dataDir, readSecrets(environment).databaseUrl);
    const own = await ownPostings(database);
    const parts = await indexParts(database);
    const split = Math.max(0, ...parts.map(({ endsAt }) => endsAt));
    out.write(`originals up to ${own.newest}, in lists below ${own.listedBelow}`);
    out.write(own.gatheringTo === null ? "\n" : `, being gathered below ${own.gatheringTo}\n`);
    out.write(`this server: lists from ${split}, ${own.listBytes} bytes; rows, ${own.rowBytes} bytes\n`);
    let well = true;
    for (const part of parts) {
      const { line, isWell } = await partLine(database, part);
      out.write(`${line}\n`);
      well &&= isWell;
    }
    if (!well) throw new Error("see above.");
  });
}

async function partLine(
  database: Database,
  part: IndexPart,
): Promise<{ readonly line: string; readonly isWell: boolean }> {
  const where = `${part.address}: originals ${part.beginsAt} to ${part.endsAt - 1}`;
  if (part.countedAt === null) {
    return {
      line: `${where}, being copied; run colophon index split again if nobody does`,
      isWell: false,
    };
  }
  const away = await whyAway(database, part);
  const left = await removalsLeft(database, part);
  const waiting = left === 0 ? "" : `; ${left} taken down wait to be removed there`;
  return {
    line: `${where}, ${away === null ? "answers" : `away (${away})`}${waiting}`,
    isWell: away === null,
  };
}
