import { useConfiguration } from "../configuration.ts";
import { useObserved } from "../browser/observable.ts";
import { useDesk } from "../desk/session.ts";

/** A root that records are verified up to, and whose choice it is. */
export interface Trust {
  /** PEM. */
  readonly root: string;
  readonly by: "reader" | "registry";
}

/** The root the reader has loaded, else the one that the registry's operator pinned; null where neither did. */
export function useTrust(): Trust | null {
  const loaded = useObserved(useDesk().trustRoot);
  const { trustRoot: pinned } = useConfiguration();
  if (loaded !== null) return { root: loaded, by: "reader" };
  return pinned === null ? null : { root: pinned, by: "registry" };
}

/** Whose root it is, in words. */
export function rootInWords(trust: Trust | null): string {
  return trust?.by === "registry" ? "the root of this registry" : "the root you loaded";
}
