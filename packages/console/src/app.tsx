import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Masthead } from "./masthead.tsx";
import { useConfiguration } from "./configuration.ts";
import { Desk } from "./desk/desk.ts";
import { type Route, useRoute } from "./route.ts";
import { ReadingContext, type Session, storedSession, storeSession } from "./desk/session.ts";
import { SignIn } from "./views/sign-in.tsx";
import { SIGN_IN, type View, VIEWS, viewsFor } from "./views.ts";

/** The console: the sign-in, or the view the address names. */
export function App(): VNode {
  const route = useRoute();
  const [session, setSession] = useState(storedSession);
  const configuration = useConfiguration();
  const change = (next: Session | null): void => {
    storeSession(next);
    if (next === null) location.hash = "";
    setSession(next);
  };
  const views = viewsFor(session, configuration);
  const view = asksToSignIn(session, route, views)
    ? undefined
    : (views.find(({ path }) => path === route.path) ?? views[0]);
  const main = useFocusOnArrival(view?.path ?? "");
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => skipTo(event, main.current)}>
        Skip to content
      </a>
      <Masthead views={views} current={view} signOut={session === null ? null : () => change(null)} />
      <main ref={main} id="main" tabIndex={-1}>
        {view === undefined ? (
          <SignIn onSignIn={change} />
        ) : (
          <Shown key={session?.token} session={session} view={view} route={route} />
        )}
      </main>
      <footer class="imprint">
        <p>Pictures are examined and then erased; the registry keeps none.</p>
      </footer>
    </>
  );
}

/**
 * Whether the address leads a reader who has not signed in to the sign-in: it asks for that, or for a view behind it.
 */
function asksToSignIn(session: Session | null, { path }: Route, open: readonly View[]): boolean {
  if (session !== null) return false;
  const isClosed = VIEWS.some((view) => view.path === path) && open.every((view) => view.path !== path);
  return path === SIGN_IN || isClosed || open.length === 0;
}

/** A view with what it works with. */
function Shown({ session, view, route }: { session: Session | null; view: View; route: Route }): VNode {
  const reading = useMemo(() => ({ session, desk: new Desk(session?.token ?? null) }), [session]);
  useEffect(() => () => reading.desk.close(), [reading]);
  const { component: Component } = view;
  return (
    <ReadingContext.Provider value={reading}>
      <Component subject={route.path === view.path ? route.subject : ""} />
    </ReadingContext.Provider>
  );
}

/** Puts the focus on a view that was navigated to, and its title on the tab. */
function useFocusOnArrival(path: string): { readonly current: HTMLElement | null } {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);
  useEffect(() => {
    const title = VIEWS.find((view) => view.path === path)?.title ?? "Sign in";
    document.title = `${title} · Colophon`;
    if (shown.current === path) return;
    shown.current = path;
    main.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [path]);
  return main;
}

/** The address is the route: a link within the page must not change it. */
function skipTo(event: MouseEvent, place: HTMLElement | null): void {
  event.preventDefault();
  place?.focus();
}
