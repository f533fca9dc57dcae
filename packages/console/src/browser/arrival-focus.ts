import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/**
 * For an element that takes the place of what had the focus: it takes the focus too, once, when it comes. The element
 * needs a tabIndex.
 */
export function useArrivalFocus<E extends HTMLElement>(): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => element.current?.focus(), []);
  return element;
}
