import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, firefox } from "playwright-core";

const RELAY = fileURLToPath(new URL("firefox-relay.ts", import.meta.url));
/** What `layout.css.prefers-color-scheme.content-override` calls them. */
const SCHEMES = { dark: 0, light: 1 } as const;

/** Starts Debian's Firefox, or the one that `FIREFOX` names, as it is: no browser of the driver's own. */
export function launchFirefox(scheme: keyof typeof SCHEMES): Promise<Browser> {
  return firefox.launch({
    executablePath: RELAY,
    channel: "moz-firefox",
    // The relay runs on this Node.
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ""}` },
    firefoxUserPrefs: { "layout.css.prefers-color-scheme.content-override": SCHEMES[scheme] },
  });
}
