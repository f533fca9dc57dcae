/**
 * What `npm start` runs: builds the console, in a process that is gone before the service begins, then runs
 * `colophon serve` in this one, with the options that were given. A service without a console is better than none, so a
 * failed build is reported and no reason to stop.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";

const BUILD = fileURLToPath(new URL("../packages/console/build.ts", import.meta.url));
const COLOPHON = fileURLToPath(new URL("../packages/cli/bin/colophon.js", import.meta.url));

const { status } = spawnSync(process.execPath, [BUILD], { stdio: ["ignore", "inherit", "inherit"] });
if (status !== 0) process.stderr.write("The console could not be built; the service starts all the same.\n");
// The service replaces its process once, by what is named here; the console is not built again then.
process.argv.splice(1, 1, COLOPHON, "serve");
await import(pathToFileURL(COLOPHON).href);
