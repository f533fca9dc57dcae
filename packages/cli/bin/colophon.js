#!/usr/bin/env node
// Plain JavaScript for every Node from 20: the command itself needs Node 24, which the dependencies bring along.
import { spawn } from "node:child_process";
import module, { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const NEEDED_MAJOR = 24;

if (process.argv[2] === "--version") {
  process.stdout.write(`${createRequire(import.meta.url)("../package.json").version}\n`);
} else if (Number.parseInt(process.versions.node, 10) >= NEEDED_MAJOR) {
  // What it loads is kept compiled, in its user's own folder: half of the time that a command takes to start.
  const cache = cacheFolder();
  if (cache !== undefined) module.enableCompileCache?.(cache);
  const { main } = await import("#main");
  process.exitCode = await main(process.argv.slice(2));
} else {
  const node = installedNode();
  if (node === undefined) {
    process.stderr.write(
      `colophon needs Node ${NEEDED_MAJOR}, this is Node ${process.versions.node}: install Node ${NEEDED_MAJOR} and run it again.\n`,
    );
    process.exitCode = 1;
  } else {
    runAgainUnder(node);
  }
}

function cacheFolder() {
  try {
    return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "colophon");
  } catch {
    // A user that the system knows by number alone, as in a container, has no folder.
    return undefined;
  }
}

function installedNode() {
  const platform = process.platform === "win32" ? "win" : process.platform;
  try {
    const manifest = createRequire(import.meta.url).resolve(`node-${platform}-${process.arch}/package.json`);
    return join(dirname(manifest), "bin", process.platform === "win32" ? "node.exe" : "node");
  } catch {
    return undefined;
  }
}

function runAgainUnder(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  // A terminal sends its Ctrl-C to both processes; passing it on would make it two.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  child.once("error", (error) => {
    process.stderr.write(`colophon could not start Node ${NEEDED_MAJOR}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.once("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
