import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";

/**
 * Runs a trial that numbers describe, and prints its report; the process ends with 1 when it found a breach.
 * @param defaults by the option that sets each of them
 */
export async function runTrial<Name extends string>(
  defaults: Readonly<Record<Name, number>>,
  run: (options: Record<Name, number>) => Promise<{ readonly breaches: readonly unknown[] }>,
): Promise<void> {
  const names = Object.keys(defaults) as Name[];
  const { values } = readCommandLine({
    options: Object.fromEntries(names.map((name) => [name, { type: "string" as const }])),
  });
  const options: Record<Name, number> = { ...defaults };
  for (const name of names) {
    if (values[name] === undefined) continue;
    options[name] = Number(values[name]);
    if (Number.isNaN(options[name])) refuseCommandLine(`--${name} is a number`);
  }
  const report = await run(options);
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  process.exitCode = report.breaches.length === 0 ? 0 : 1;
}
