import { execFile } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeBlocks } from "@colophon/testing/code-blocks.ts";
import { ADMIN_TOKEN, Desk } from "./support.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PAGES = join(ROOT, "docs/how-to");
const COLOPHON = join(ROOT, "packages/cli/bin/colophon.js");
const run = promisify(execFile);

/** The code of a page in one language, block by block. */
function blocks(page: string, language: string): string[] {
  const found = codeBlocks(readFileSync(join(PAGES, page), "utf8"));
  return found.flatMap((block) => (block.language === language ? [block.code] : []));
}

let desk: Desk;

beforeAll(async () => {
  desk = await Desk.open();
  mkdirSync(join(desk.home, "bin"));
  const colophon = join(desk.home, "bin/colophon");
  writeFileSync(colophon, `#!/bin/sh\nexec "${process.execPath}" "${COLOPHON}" "$@"\n`);
  chmodSync(colophon, 0o755);
  symlinkSync(join(ROOT, "node_modules"), join(desk.home, "node_modules"));
});

afterAll(async () => {
  await desk[Symbol.asyncDispose]();
});

/** A folder with the files that a page speaks of, and the environment of an account that holds none of them. */
async function scene(page: string): Promise<{ cwd: string; env: Record<string, string> }> {
  const cwd = join(desk.home, page);
  await desk.paint(join(page, "photos"), 2);
  const [unknown = ""] = await desk.paint(join(page, "unknown"), 1);
  copyFileSync(join(desk.home, unknown), join(cwd, "unknown.jpg"));
  copyFileSync(join(ROOT, "packages/server/samples/harbour.jpg"), join(cwd, "harbour.jpg"));
  copyFileSync(join(ROOT, "packages/server/samples/harbour-crop.jpg"), join(cwd, "harbour-crop.jpg"));
  if (page === "register-a-video.md") {
    desk.film(join(page, "ferry.mp4"), "mandelbrot=size=320x240:rate=5", 4);
    desk.still(join(page, "ferry.mp4"), 10, join(page, "found.jpg"));
  }
  return {
    cwd,
    env: {
      PATH: [join(desk.home, "bin"), dirname(process.execPath), "/usr/local/bin:/usr/bin:/bin"].join(":"),
      HOME: cwd,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
      COLOPHON_BASE_URL: desk.baseUrl,
      COLOPHON_TOKEN: desk.token,
      COLOPHON_ADMIN_TOKEN: ADMIN_TOKEN,
      COLOPHON_DATA_DIR: join(desk.home, "data"),
    },
  };
}

/** Takes the sample down again, so that each page finds it as its reader does. */
async function takeSampleDown(page: string): Promise<void> {
  const { out } = await desk.run(["lookup", join(page, "harbour.jpg"), "--json"]);
  for (const [, id = ""] of out.matchAll(/"registrationId": "([^"]+)"/g)) await desk.run(["takedown", id]);
}

describe("the how-to pages", () => {
  const pages = readdirSync(PAGES).filter((page) => blocks(page, "sh").length > 0);

  it.each(pages)("%s shows commands that run as they stand", async (page) => {
    const { cwd, env } = await scene(page);
    const script = blocks(page, "sh").join("\n");
    const isLogin = page === "README.md";
    const { COLOPHON_BASE_URL: URL = "", COLOPHON_TOKEN: TOKEN = "", ...bare } = env;
    const environment = isLogin ? { ...bare, URL, TOKEN } : env;
    const shell = ["--norc", "-euo", "pipefail", "-c", script];
    await expect(run("bash", shell, { cwd, env: environment })).resolves.toBeDefined();
    await takeSampleDown(page);
  });

  it("show a program that runs as it stands", async () => {
    const page = "use-the-client.md";
    const { cwd, env } = await scene(page);
    writeFileSync(join(cwd, "program.ts"), blocks(page, "ts").join("\n"));
    const { stdout } = await run(process.execPath, ["program.ts"], { cwd, env });
    expect(stdout).toMatch(/^[0-9a-f-]{36} unanchored\n/);
    expect(stdout).toContain("committing: ");
    await takeSampleDown(page);
  });
});
