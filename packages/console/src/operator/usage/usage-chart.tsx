import type { VNode } from "preact";
import { useId } from "preact/hooks";
import { counted } from "../../wording.ts";
import type { Bucket, Step, UsageKind } from "./usage-buckets.ts";

/** One part of a stacked bar. */
export interface Series {
  readonly kind: UsageKind;
  readonly words: string;
}

interface Charted {
  readonly title: string;
  readonly series: readonly Series[];
  readonly buckets: readonly Bucket[];
  readonly step: Step;
}

const BAR = 10;
const GAP = 2;
const HEIGHT = 100;

/**
 * Units spent as stacked bars, one a step. The picture says in one sentence what it shows; the table below it has every
 * figure.
 */
export function UsageChart({ title, series, buckets, step }: Charted): VNode {
  const id = useId();
  const sums = buckets.map(({ units }) => series.reduce((sum, { kind }) => sum + units[kind], 0));
  const most = Math.max(1, ...sums);
  const width = buckets.length * (BAR + GAP) - GAP;
  return (
    <section class="usage-over-time" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {series.length > 1 && (
        <ul class="chart-key">
          {series.map(({ kind, words }) => (
            <li key={kind}>
              <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
                <rect class={`bar ${kind}`} width={10} height={10} />
              </svg>
              {words}
            </li>
          ))}
        </ul>
      )}
      <div class="chart">
        <span class="chart-most" aria-hidden="true">
          {most.toLocaleString("en")}
        </span>
        <svg
          viewBox={`0 0 ${width} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={summary(title, buckets, sums, step)}
        >
          {buckets.map(({ start, units }, at) => (
            <Bar key={start.getTime()} x={at * (BAR + GAP)} units={units} series={series} most={most} />
          ))}
        </svg>
        <span class="chart-dates" aria-hidden="true">
          <span>{dateOf(buckets[0], step)}</span>
          <span>{dateOf(buckets.at(-1), step)}</span>
        </span>
      </div>
      <details>
        <summary>The figures</summary>
        <Figures title={title} series={series} buckets={buckets} step={step} />
      </details>
    </section>
  );
}

function Bar({
  x,
  units,
  series,
  most,
}: {
  x: number;
  units: Bucket["units"];
  series: readonly Series[];
  most: number;
}): VNode {
  let top = HEIGHT;
  const parts = series.map(({ kind }) => {
    const height = (units[kind] / most) * HEIGHT;
    top -= height;
    return <rect key={kind} class={`bar ${kind}`} x={x} y={top} width={BAR} height={height} />;
  });
  return <>{parts}</>;
}

/** Every figure; steps in which nothing was spent are left out. */
function Figures({ title, series, buckets, step }: Charted): VNode {
  const spent = buckets.filter(({ units }) => series.some(({ kind }) => units[kind] !== 0)).toReversed();
  if (spent.length === 0) return <p>Nothing was spent in this time.</p>;
  return (
    <div class="scroll" role="region" aria-label={`${title}, figures`} tabIndex={0}>
      <table class="ledger">
        <thead>
          <tr>
            <th scope="col">{step === "month" ? "Month" : step === "week" ? "Week from" : "Day"}</th>
            {series.map(({ kind, words }) => (
              <th key={kind} scope="col" class="number">
                {words}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {spent.map((bucket) => (
            <tr key={bucket.start.getTime()}>
              <th scope="row" class="when">
                {dateOf(bucket, step)}
              </th>
              {series.map(({ kind }) => (
                <td key={kind} class="number">
                  {bucket.units[kind].toLocaleString("en")}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function summary(title: string, buckets: readonly Bucket[], sums: readonly number[], step: Step): string {
  const total = sums.reduce((sum, units) => sum + units, 0);
  const from = `${title} by ${step} since ${dateOf(buckets[0], step)}: ${counted(total, "unit")}`;
  if (total === 0) return from;
  const most = Math.max(...sums);
  return `${from}, most (${most.toLocaleString("en")}) in the ${step} of ${dateOf(buckets[sums.indexOf(most)], step)}`;
}

function dateOf(bucket: Bucket | undefined, step: Step): string {
  if (bucket === undefined) return "";
  const parts: Intl.DateTimeFormatOptions =
    step === "month" ? { month: "long", year: "numeric" } : { dateStyle: "medium" };
  return new Intl.DateTimeFormat("en-GB", { ...parts, timeZone: "UTC" }).format(bucket.start);
}
