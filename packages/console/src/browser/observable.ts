import { useLayoutEffect, useState } from "preact/hooks";

/** A value that outlives the views that show it. */
export class Observable<T> {
  #value: T;
  readonly #observers = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    this.#value = value;
    for (const observer of this.#observers) observer();
  }

  /** Calls `observer` after every change until the answer is called. */
  observe(observer: () => void): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }
}

/** The value of an observable; the component is rendered again when it changes. */
export function useObserved<T>(observable: Observable<T>): T {
  const [, count] = useState(0);
  // Before the page is painted: a change after the first look and before somebody listens would not show.
  useLayoutEffect(() => observable.observe(() => count((changes) => changes + 1)), [observable]);
  return observable.value;
}
