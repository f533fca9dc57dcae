import type { IncomingMessage } from "node:http";
import { type Page, redirect } from "./page.ts";

/** Where a person lands who types the service's address. */
const HOME: Page = await redirect("/", "console/");

/** The way to the console for a browser at `/`; to everybody else there is nothing at that address. */
export function homeOf({ method, url, headers }: IncomingMessage): Page | null {
  const isReader = (method === "GET" || method === "HEAD") && headers.accept?.includes("text/html") === true;
  return isReader && url?.split("?", 1)[0] === "/" ? HOME : null;
}
