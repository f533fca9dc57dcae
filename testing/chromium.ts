import { type Browser, chromium } from "playwright-core";

/** The browser's program: Debian's, unless `CHROMIUM` names another. */
export const BROWSER: string = process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell";

/** Starts a real browser without its services to its maker. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: BROWSER,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
