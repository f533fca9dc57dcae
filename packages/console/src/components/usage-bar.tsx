import type { VNode } from "preact";
import { useId } from "preact/hooks";
import type { Usage } from "../answers.ts";

type Grant = Usage["lookups"];

const WIDTH = 600;
const HEIGHT = 28;

/**
 * One allowance as a bar: what was spent, what open batches reserve, what is left. The list below says the same in
 * words.
 */
export function UsageBar({ title, grant }: { title: string; grant: Grant }): VNode {
  const id = useId();
  const { grant: whole, consumed, held, remaining } = grant;
  const free = Math.max(0, remaining - held);
  const scale = WIDTH / Math.max(1, whole, consumed + held);
  const parts = [
    { name: "Spent", count: consumed, kind: "consumed" },
    { name: "Reserved by open batches", count: held, kind: "held" },
    { name: "Free", count: free, kind: "free" },
  ];
  let at = 0;
  const bars = parts.map(({ count, kind }) => {
    const x = at;
    at += count * scale;
    return <rect key={kind} class={`bar ${kind}`} x={x} y={0} width={count * scale} height={HEIGHT} />;
  });
  return (
    <section class="usage" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p class="usage-figure">
        <b>{free.toLocaleString("en")}</b> of {whole.toLocaleString("en")} left
      </p>
      <svg class="usage-bar" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {bars}
      </svg>
      <dl class="usage-key">
        {parts.map(({ name, count, kind }) => (
          <div key={kind}>
            <dt>
              <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
                <rect class={`bar ${kind}`} width={10} height={10} />
              </svg>
              {name}
            </dt>
            <dd>{count.toLocaleString("en")}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
