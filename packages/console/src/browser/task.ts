import { useEffect, useRef, useState } from "preact/hooks";

/** Where a task stands that a view has asked for. */
export type TaskState<Result> =
  | { readonly kind: "idle" }
  | { readonly kind: "busy" }
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "failed"; readonly error: unknown };

/** One task at a time of a view. */
export interface Task<Result> {
  readonly state: TaskState<Result>;
  /** Starts the task; one that still runs is aborted, and its outcome dropped. */
  readonly run: (work: (signal: AbortSignal) => Promise<Result>) => void;
  /** Back to the start; a task under way is aborted. */
  readonly reset: () => void;
}

/** A task of this view: aborted when the view goes. */
export function useTask<Result>(): Task<Result> {
  const [state, setState] = useState<TaskState<Result>>({ kind: "idle" });
  const running = useRef(new AbortController());
  useEffect(() => () => running.current.abort(), []);
  const run = (work: (signal: AbortSignal) => Promise<Result>): void => {
    running.current.abort();
    const current = new AbortController();
    running.current = current;
    const settle = (next: TaskState<Result>): void => {
      if (!current.signal.aborted) setState(next);
    };
    setState({ kind: "busy" });
    void work(current.signal).then(
      (result) => settle({ kind: "done", result }),
      (error: unknown) => settle({ kind: "failed", error }),
    );
  };
  const reset = (): void => {
    running.current.abort();
    setState({ kind: "idle" });
  };
  return { state, run, reset };
}
