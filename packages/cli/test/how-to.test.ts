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
import { programFile } from "@colophon/testing/process/programs.ts";
import { ADMIN_TOKEN, Desk } from "./support.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PAGES = join(ROOT, "docs/how-to");
const COLOPHON = await programFile("colophon");
const run = promisify(execFile);

/** Where the pages have the registry, as it is by default; the test has it elsewhere. */
const DEFAULT_BASE_URL = "http://127.0.0.1:8400";

/** The code of a page in one language, block by block. */
function blocks(page: string, language: string): string[] {
  const found = codeBlocks(readFileSync(join(PAGES, page), "utf8"));
  return found.flatMap((block) => (block.language === language ? [block.code] : []));
}

let desk: Desk;
let folder: string;

beforeAll(async () => {
  desk = await Desk.open();
  mkdirSync(join(desk.home, "bin"));
  const colophon = join(desk.home, "bin/colophon");
  writeFileSync(colophon, `#!/bin/sh\nexec "${process.execPath}" "${COLOPHON}" "$@"\n`);
  chmodSync(colophon, 0o755);
  symlinkSync(join(ROOT, "node_modules"), join(desk.home, "node_modules"));
  folder = await readersFolder();
});

afterAll(async () => {
  await desk[Symbol.asyncDispose]();
});

/** The pages in the order in which their list has them, which is the order of a reader who reads them all. */
function pagesInOrder(): string[] {
  const list = readFileSync(join(PAGES, "README.md"), "utf8");
  return ["README.md", ...[...list.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, page = ""]) => page)];
}

/** The folder that a reader works in, with the files that the pages speak of. */
async function readersFolder(): Promise<string> {
  const cwd = join(desk.home, "reader");
  await desk.paint("reader/photos", 2);
  await desk.paint("reader/scans", 2);
  await desk.paint("reader/incoming", 2);
  for (const name of ["unknown", "pier"]) {
    const [picture = ""] = await desk.paint(`reader/${name}`, 1);
    copyFileSync(join(desk.home, picture), join(cwd, `${name}.jpg`));
  }
  for (const name of ["harbour.jpg", "harbour-crop.jpg"]) {
    copyFileSync(join(ROOT, "packages/server/samples", name), join(cwd, name));
  }
  writeFileSync(join(cwd, "newsroom.token"), `${desk.token}\n`);
  desk.film("reader/ferry.mp4", "mandelbrot=size=320x240:rate=5", 4);
  desk.still("reader/ferry.mp4", 10, "reader/found.jpg");
  return cwd;
}

/** What is set without a page saying so: the reader's own, and an operator's. */
function environmentIn(cwd: string): Record<string, string> {
  return {
    PATH: [join(desk.home, "bin"), dirname(process.execPath), "/usr/local/bin:/usr/bin:/bin"].join(":"),
    HOME: cwd,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
    COLOPHON_ADMIN_TOKEN: ADMIN_TOKEN,
    COLOPHON_DATA_DIR: join(desk.home, "data"),
  };
}

describe("the how-to pages, read one after the other at one registry", () => {
  const pages = pagesInOrder();

  it("are all in their list", () => {
    expect(pages.toSorted()).toEqual(readdirSync(PAGES).toSorted());
  });

  it.each(pages.filter((page) => blocks(page, "sh").length + blocks(page, "ts").length > 0))(
    "%s shows what runs as it stands",
    async (page) => {
      const env = environmentIn(folder);
      const commands = blocks(page, "sh").join("\n").replaceAll(DEFAULT_BASE_URL, desk.baseUrl);
      const shell = ["--norc", "-euo", "pipefail", "-c", commands];
      await expect(run("bash", shell, { cwd: folder, env })).resolves.toBeDefined();
      if (page !== "use-the-client.md") return;
      writeFileSync(join(folder, "program.ts"), blocks(page, "ts").join("\n"));
      const account = { COLOPHON_BASE_URL: desk.baseUrl, COLOPHON_TOKEN: desk.token };
      const { stdout } = await run(process.execPath, ["program.ts"], {
        cwd: folder,
        env: { ...env, ...account },
      });
      expect(stdout).toMatch(/^[0-9a-f-]{36} unanchored\n/);
      expect(stdout).toContain("committing: ");
    },
  );
});
