import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { useObserved } from "../browser/observable.ts";
import { useDesk } from "./session.ts";
import { counted } from "../wording.ts";

const NOUNS = { lookups: "look-up", registrations: "registration" } as const;

/** What an action will cost, before it is done, and what is left to spend; nothing for readers who are not charged. */
export function Cost({
  units = 1,
  of,
  id,
  atMost = false,
}: {
  units?: number;
  of: keyof typeof NOUNS;
  id: string;
  atMost?: boolean;
}): VNode | null {
  const desk = useDesk();
  const usage = useObserved(desk.usage);
  useEffect(() => {
    if (desk.usage.value === null) void desk.refreshUsage();
  }, [desk]);
  if (!desk.hasAccount) return null;
  const noun = NOUNS[of];
  return (
    <span class="cost" id={id}>
      Costs {atMost && "at most "}
      {counted(units, noun)}
      {usage !== null && <>; {usage[of].remaining.toLocaleString("en")} left</>}.
      {of === "registrations" && " A picture that is registered already costs one look-up instead."}
    </span>
  );
}
