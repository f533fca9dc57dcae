import { useLayoutEffect, useState } from "preact/hooks";

/** Where the reader is: the path after `#`, and what follows its last known part. */
export interface Route {
  /** For example `look-up`. */
  readonly path: string;
  /** What a view is opened on, for example a hash; empty when nothing. */
  readonly subject: string;
}

/** The address of a view, for a link. */
export function href(path: string, subject = ""): string {
  return subject === "" ? `#/${path}` : `#/${path}/${encodeURIComponent(subject)}`;
}

/** The route the address bar shows, kept up to date. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  // Before the page is painted, so that the first click on a link finds somebody who listens.
  useLayoutEffect(() => {
    const read = (): void => setRoute(readRoute(location.hash));
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return route;
}

function readRoute(hash: string): Route {
  const [path = "", subject = ""] = hash.replace(/^#\/?/, "").split("/");
  return { path, subject: decoded(subject) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
