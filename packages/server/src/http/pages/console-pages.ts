import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PublicReads } from "@colophon/contract";
import { writeVkey } from "@colophon/log";
import type { Config } from "../../config/environment.ts";
import { errorCode } from "../../error-code.ts";
import { filePage, htmlPage, type Page, slashRedirect } from "./page.ts";

const CONSOLE_POLICY: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The one script that may compile WebAssembly: a worker, which goes by the policy of its own file. */
const JUDGING_WORKER = /\/judging-worker-[\w-]+\.js$/;
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/** Files under here carry a hash of their content in their name. */
const HASHED = "/console/assets/";

const NOT_BUILT = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Console not built</title></head>
  <body>
    <h1>The console is not built</h1>
    <p>Run <code>npm run build</code> in the folder of Colophon and start the service again.</p>
  </body>
</html>
`;

/** What the console is told of the deployment that serves it. */
export interface ConsoleConfiguration {
  /** What it may ask without a token. */
  readonly reads: PublicReads;
  /** The root that records are verified up to, PEM; null leaves the choice to the reader. */
  readonly trustRoot: string | null;
  /** Keys (vkey) of the witnesses that are asked to cosign the log. */
  readonly witnesses: readonly string[];
}

/** The configuration that the console of a deployment gets. @param trustRoot the deployment's own root, PEM */
export function consoleConfiguration(config: Config, trustRoot: string): ConsoleConfiguration {
  return {
    reads: config.public,
    trustRoot: config.consolePinsRoot ? trustRoot : null,
    witnesses: config.witnesses.map(({ key }) => writeVkey(key)),
  };
}

/**
 * The console as it was built into a folder, read whole: what is not in the folder now is never served; and its
 * configuration. Where nothing was built, one page that says how.
 */
export async function consolePages(
  folder: string,
  configuration: ConsoleConfiguration,
): Promise<readonly Page[]> {
  const files = await builtFiles(folder);
  const pages = await Promise.all(
    files.map(async (name) => {
      const path = `/console/${name}`;
      const caching = path.startsWith(HASHED) ? "forever" : "ask";
      const policy = JUDGING_WORKER.test(path) ? WORKER_POLICY : CONSOLE_POLICY;
      return filePage(path, await readFile(join(folder, name)), policy, caching);
    }),
  );
  const index = pages.find(({ path }) => path === "/console/index.html");
  const entry = index
    ? htmlPage("/console/", 200, index.body, CONSOLE_POLICY)
    : htmlPage("/console/", 404, NOT_BUILT, CONSOLE_POLICY);
  const settings = Buffer.from(JSON.stringify(configuration));
  return [
    await slashRedirect("/console"),
    await entry,
    await filePage("/console/configuration.json", settings, CONSOLE_POLICY, "ask"),
    ...pages,
  ];
}

/** Paths of the files in a folder, relative to it and with forward slashes; none when there is no folder. */
async function builtFiles(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name).slice(join(folder, "/").length).replaceAll("\\", "/"),
      );
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}
