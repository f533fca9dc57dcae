import type { VNode } from "preact";
import { href } from "./route.ts";
import { SIGN_IN, type View } from "./views.ts";
import { Mark } from "./components/mark.tsx";
import { ThemeSwitch } from "./components/theme-switch.tsx";

/** The head of every page: name, navigation, theme, way in or out. `signOut` is null when nobody is signed in. */
export function Masthead({
  views,
  current,
  signOut,
}: {
  views: readonly View[];
  current: View | undefined;
  signOut: (() => void) | null;
}): VNode {
  return (
    <header class="masthead">
      <div class="masthead-row">
        <a class="wordmark" href="#/">
          <Mark />
          <span>Colophon</span>
        </a>
        <span class="host">{location.host}</span>
        <ThemeSwitch />
        {signOut === null ? (
          views.length > 0 && (
            <a class="button plain" href={href(SIGN_IN)}>
              Sign in
            </a>
          )
        ) : (
          <button type="button" class="plain" onClick={signOut}>
            Sign out
          </button>
        )}
      </div>
      {views.length > 0 && (
        <nav aria-label="Views">
          <ul>
            {views.map(({ path, title }) => (
              <li key={path}>
                <a href={href(path)} {...(path === current?.path ? { "aria-current": "page" as const } : {})}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </header>
  );
}
