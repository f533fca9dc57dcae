#!/usr/bin/env node
// Plain JavaScript for every Node from 20: the command itself needs Node 24, which the dependencies bring along.
import { spawn } from "node:child_process";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import module, { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createBrotliDecompress } from "node:zlib";

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
  try {
    runAgainUnder(await newerNode());
  } catch (error) {
    process.stderr.write(
      `colophon needs Node ${NEEDED_MAJOR}, this is Node ${process.versions.node}: install Node ${NEEDED_MAJOR} and run it again.${error.message}\n`,
    );
    process.exitCode = 1;
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

/** The Node that the dependencies brought: as a program in a clone, compressed in an installation, where it is unpacked once. */
async function newerNode() {
  const platform = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const program = process.platform === "win32" ? "node.exe" : "node";
  const inClone = packageFolder(platform);
  if (inClone !== undefined) return join(inClone, "bin", program);
  const packed = packageFolder(`@colophon/${platform}`);
  if (packed === undefined) throw new Error("");
  const cache = cacheFolder();
  if (cache === undefined) {
    throw new Error(" Or set XDG_CACHE_HOME to a folder where the one that it brought can be unpacked.");
  }
  const { version } = createRequire(import.meta.url)(join(packed, "package.json"));
  const node = join(cache, `node-${version}`, program);
  if (!existsSync(node)) await unpack(join(packed, `${program}.br`), node);
  return node;
}

function packageFolder(name) {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}

/** Appears whole or not at all, however many commands start at once. */
async function unpack(compressed, node) {
  const unfinished = `${node}.${process.pid}`;
  try {
    await mkdir(dirname(node), { recursive: true });
    await pipeline(
      createReadStream(compressed),
      createBrotliDecompress(),
      createWriteStream(unfinished, { mode: 0o755 }),
    );
    await rename(unfinished, node);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw new Error(` The one that it brought could not be unpacked: ${error.message}.`, { cause: error });
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
