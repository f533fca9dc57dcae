/**
 * Prints how many pairs today's decision judges otherwise under another key, and how many of two pictures it judges otherwise when the other is the one
 * that is registered.
 *
 *     node bench/matching/designs/stability.ts --traces DIR... [--other DIR...]
 *
 * `--other`: folders of the same pairs that `trace.ts` compared under another key.
 */
import { parseArgs } from "node:util";
import { decided, replayed } from "./replay.ts";
import { shareText } from "./shares.ts";
import { type Compared, readTraces, traceName } from "./traces.ts";

interface Outcome {
  readonly compared: Compared;
  readonly isMatch: boolean;
}

function outcomes(folders: readonly string[]): Map<string, Outcome> {
  const found = new Map<string, Outcome>();
  for (const { compared, findings } of readTraces(folders)) {
    const isMatch = findings.some((finding) => decided(replayed(finding)).isMatch);
    found.set(traceName(compared), { compared, isMatch });
  }
  return found;
}

/** Two of one design, whichever is asked with, or two photographs of a scene in either order: the same name for both. */
function pairName({ group, name, draw, relation, edit, registered, asked }: Compared): string | null {
  if (relation !== "other" || edit !== "as it is") return null;
  const both = group === "hard" ? [registered, asked].toSorted().join(" ") : "";
  return [group, name, draw, both].join(" ");
}

function print(what: string, differing: number, pairs: number): void {
  process.stdout.write(`${what.padEnd(40)} ${shareText(differing, pairs)}\n`);
}

function main(): void {
  const { values } = parseArgs({
    options: {
      traces: { type: "string", multiple: true, default: [] },
      other: { type: "string", multiple: true, default: [] },
    },
  });
  const first = outcomes(values.traces);
  const directions = [...Map.groupBy(first.values(), ({ compared }) => pairName(compared)).entries()].flatMap(
    ([name, both]) => (name !== null && both.length === 2 ? [both] : []),
  );
  const turned = directions.filter((both) => both[0]!.isMatch !== both[1]!.isMatch);
  print("judged otherwise in the other direction", turned.length, directions.length);
  if (values.other.length === 0) return;
  const second = outcomes(values.other);
  const shared = [...first].flatMap(([name, one]) => {
    const other = second.get(name);
    return other === undefined ? [] : [{ ...one, isOther: other.isMatch !== one.isMatch }];
  });
  const groups = Map.groupBy(shared, ({ compared }) =>
    compared.relation === "other" ? "different" : "derived",
  );
  for (const [what, some] of groups)
    print(
      `${what}, judged otherwise under the other key`,
      some.filter((each) => each.isOther).length,
      some.length,
    );
  const matched = shared.filter(({ isMatch, isOther }) => isMatch || isOther);
  print("of those that match under either", matched.filter(({ isOther }) => isOther).length, matched.length);
}

if (import.meta.main) main();
