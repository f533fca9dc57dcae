/**
 * Asks a service over HTTP about pairs that `draw.ts` wrote: all registered pictures are registered in one service with
 * a database of its own, every asked picture is looked up alone. Prints of each family how many wrong pairs match and
 * how many right ones are found, with 95 % intervals, and every pair that is answered wrongly.
 *
 *     node bench/matching/designs/over-http.ts PAIRS... [--limit N]
 *
 * `--limit`: so many asked pictures, spread over all. SIGINT ends the run with what was asked so far.
 */
import { readFileSync } from "node:fs";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import { HttpRegistry } from "../registered/http-registry.ts";
import { spread } from "../spread.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { shareText } from "./shares.ts";
import { drawnPairs } from "./trace.ts";
import { type Compared, isShownEnough, isWhatItSays, labelOf } from "./traces.ts";

interface Answered {
  readonly compared: Compared;
  readonly isMatched: boolean;
}

/** Of what was asked: the pairs with their answers, and matches that no pair speaks of. */
export interface HttpAnswers {
  readonly answered: readonly Answered[];
  readonly unrelated: readonly { readonly asked: string; readonly matched: string }[];
}

/** Registers what the pairs have registered, and asks with what they ask with. */
export async function askOverHttp(
  pairs: readonly Compared[],
  { limit, stopped }: { readonly limit: number; readonly stopped: AbortSignal },
): Promise<HttpAnswers> {
  const byAsked = spread([...Map.groupBy(pairs.filter(isShownEnough), ({ asked }) => asked)], limit);
  const registered = [...new Set(byAsked.flatMap(([, some]) => some.map((pair) => pair.registered)))];
  const designs = new Map(pairs.map(({ registered: file, name, draw }) => [file, `${name} ${draw}`]));
  const answers = { answered: [] as Answered[], unrelated: [] as HttpAnswers["unrelated"][number][] };
  await using registry = await HttpRegistry.start();
  const refused = await registry.registerAll(registered.map((name) => ({ name, bytes: readFileSync(name) })));
  for (const { name, reason } of refused) process.stderr.write(`not registered: ${name}: ${reason}\n`);
  const missing = new Set(refused.map(({ name }) => name));
  for (const [asked, some] of byAsked) {
    if (stopped.aborted) break;
    const { matched } = await registry.lookUp(readFileSync(asked));
    const names = new Set(matched);
    for (const compared of some) {
      if (missing.has(compared.registered)) continue;
      answers.answered.push({ compared, isMatched: names.has(compared.registered) });
    }
    const design = `${some[0]!.name} ${some[0]!.draw}`;
    for (const each of names) {
      if (designs.get(each) !== design) answers.unrelated.push({ asked, matched: each });
    }
  }
  return answers;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const { values, positionals } = readCommandLine({
    options: { limit: { type: "string" } },
    allowPositionals: true,
  });
  if (positionals.length === 0) refuseCommandLine("name folders that draw.ts wrote");
  const { answered, unrelated } = await askOverHttp(positionals.flatMap(drawnPairs), {
    limit: values.limit === undefined ? Number.POSITIVE_INFINITY : Number(values.limit),
    stopped: untilInterrupted(),
  });
  const groups = Map.groupBy(answered, ({ compared }) => labelOf(compared));
  for (const [name, some] of [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    print(`${name.padEnd(36)} ${shareText(some.filter(({ isMatched }) => isMatched).length, some.length)}`);
  }
  for (const { compared, isMatched } of answered) {
    if (isMatched === (compared.relation !== "other") || !isWhatItSays(compared)) continue;
    print(`${labelOf(compared)}: ${compared.name}, ${compared.edit} (${compared.asked})`);
  }
  for (const { asked, matched } of unrelated) print(`another design: ${asked} matched ${matched}`);
}

if (import.meta.main) await main();
