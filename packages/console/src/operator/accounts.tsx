import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ViewProps } from "../view-props.ts";
import { AccountList } from "./account-list.tsx";
import { AccountPage } from "./account-page.tsx";

/** The operator's accounts: all of them, or the one the address names. */
export function Accounts({ subject }: ViewProps): VNode {
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(subject);
  useEffect(() => {
    if (shown.current === subject) return;
    shown.current = subject;
    place.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [subject]);
  return (
    <div ref={place} tabIndex={-1}>
      {subject === "" ? <AccountList /> : <AccountPage key={subject} accountId={subject} />}
    </div>
  );
}
