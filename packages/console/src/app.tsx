import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Masthead } from "./components/masthead.tsx";
import { Desk } from "./desk.ts";
import { type Route, useRoute } from "./route.ts";
import { type Session, SignedContext, storedSession, storeSession } from "./session.ts";
import { SignIn } from "./views/sign-in.tsx";
import { type View, VIEWS } from "./views.ts";

/** The console: the sign-in, or the view the address names. */
export function App(): VNode {
  const route = useRoute();
  const [session, setSession] = useState(storedSession);
  const change = (next: Session | null): void => {
    storeSession(next);
    if (next === null) location.hash = "";
    setSession(next);
  };
  const views = VIEWS.filter(({ role }) => role === session?.role);
  const view = views.find(({ path }) => path === route.path) ?? views[0];
  const main = useFocusOnArrival(view?.path ?? "");
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => skipTo(event, main.current)}>
        Skip to content
      </a>
      <Masthead views={views} current={view} signOut={session === null ? null : () => change(null)} />
      <main ref={main} id="main" tabIndex={-1}>
        {session === null || view === undefined ? (
          <SignIn onSignIn={change} />
        ) : (
          <Behind key={session.token} session={session} view={view} route={route} />
        )}
      </main>
      <footer class="imprint">
        <p>Pictures are looked at, answered and erased; the registry keeps none.</p>
      </footer>
    </>
  );
}

/** What is behind the sign-in. */
function Behind({ session, view, route }: { session: Session; view: View; route: Route }): VNode {
  const signed = useMemo(() => ({ session, desk: new Desk(session.token) }), [session]);
  useEffect(() => () => signed.desk.close(), [signed]);
  const { component: Component } = view;
  return (
    <SignedContext.Provider value={signed}>
      <Component subject={route.path === view.path ? route.subject : ""} />
    </SignedContext.Provider>
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
