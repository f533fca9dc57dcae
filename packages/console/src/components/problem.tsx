import { ColophonConnectionError, ColophonError, faultInWords } from "@colophon/client";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { adviceOn, isWorthRepeating } from "../advice.ts";

/** What went wrong with a call, what to do about it and, where that helps, a way to do it again. */
export function Problem({
  error,
  advice = adviceOn(error),
  retry,
}: {
  error: unknown;
  advice?: string;
  retry?: () => void;
}): VNode {
  const wait = waitOf(error);
  return (
    <div class="problem" role="alert">
      <h2>{titleOf(error)}</h2>
      <p>{detailOf(error)}</p>
      <p>{advice}</p>
      {retry !== undefined && isWorthRepeating(error) && <Retry key={wait} seconds={wait} retry={retry} />}
      {error instanceof ColophonError && error.traceId !== "" && (
        <p class="trace">
          Trace <code>{error.traceId}</code>
        </p>
      )}
    </div>
  );
}

/** A button that is of use once the service's own waiting time has passed. */
function Retry({ seconds, retry }: { seconds: number; retry: () => void }): VNode {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return (
    <button type="button" disabled={left > 0} onClick={retry}>
      {left > 0 ? `Try again in ${left} s` : "Try again"}
    </button>
  );
}

function waitOf(error: unknown): number {
  if (!(error instanceof ColophonError)) return 0;
  return error.is("imageCouldNotBeCheckedYet") || error.is("serviceUnavailable")
    ? error.extensions.retryAfterSeconds
    : 0;
}

function titleOf(error: unknown): string {
  if (error instanceof ColophonError) return error.title;
  return error instanceof ColophonConnectionError ? "No answer" : "That did not work";
}

function detailOf(error: unknown): string {
  if (error instanceof ColophonError) return faultInWords(error.detail);
  return error instanceof Error ? error.message : "The console met an unexpected fault.";
}
