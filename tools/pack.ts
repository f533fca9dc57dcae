/**
 * Makes the packages that are published: plain modules for Node and bundlers beside their types, one tarball each.
 *
 *     node tools/pack.ts            # into dist/packages
 */
import { execFile } from "node:child_process";
import { createReadStream, createWriteStream } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { constants, createBrotliCompress } from "node:zlib";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { buildConsole } from "../packages/console/build.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const run = promisify(execFile);

/** What the libraries need: their cryptography asks for it. The service and the command bring Node 24 or ask for it. */
const NODE_OF_LIBRARIES = ">=20.19";
const NODE_OF_SERVICE = ">=24";

/** Where the service finds the console, built, in its package. */
const CONSOLE = "console";
/** Bytes of the list of all files that npm answers with. */
const MOST_LISTED = 67_108_864;
/** Makes a quarter of a Node in ten seconds. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 24 };
/** Where it finds the viewer of the API reference: one file of a package whose other hundred it does not need. */
const VIEWER = "reference/redoc.standalone.js";

interface Published {
  /** Below `packages/`. */
  readonly folder: string;
  readonly node: string;
  /** Folders that go with the modules as they are. */
  readonly data: readonly string[];
  /** Where its imports lead when it is published, in the place of those of its package.json. */
  readonly imports?: Readonly<Record<string, string>>;
}

/** Each after those it needs. */
const PUBLISHED: readonly Published[] = [
  { folder: "contract", node: NODE_OF_LIBRARIES, data: [] },
  { folder: "formats", node: NODE_OF_LIBRARIES, data: [] },
  { folder: "log", node: NODE_OF_LIBRARIES, data: [] },
  { folder: "credentials", node: NODE_OF_LIBRARIES, data: [] },
  { folder: "client", node: NODE_OF_LIBRARIES, data: [] },
  { folder: "engine", node: NODE_OF_SERVICE, data: ["data", "kernels/kernels.wasm"] },
  {
    folder: "server",
    node: NODE_OF_SERVICE,
    data: ["migrations", "reference", "samples"],
    imports: { "#redoc": `./${VIEWER}` },
  },
  {
    folder: "cli",
    node: NODE_OF_LIBRARIES,
    data: ["bin"],
    imports: { "#main": "./dist/main.js" },
  },
];

/** The members of a workspace's package.json that its published one keeps or changes. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
}

/**
 * Compiles and packs every published package.
 *
 * @param out a folder that is emptied first
 * @returns the path of each package's tarball, by the package's name
 */
export async function packAll(out: string): Promise<ReadonlyMap<string, string>> {
  await rm(out, { recursive: true, force: true });
  await run(
    join(ROOT, "node_modules/.bin/tsc"),
    ["--build", "packages/cli", "packages/client", "packages/log"],
    {
      cwd: ROOT,
    },
  );
  const stages = new Map<string, string>();
  for (const published of PUBLISHED) {
    const stage = join(out, published.folder);
    const { name } = await stagePackage(published, stage);
    if (published.folder === "server") await addPages(stage);
    stages.set(name, stage);
  }
  const { optionalDependencies: runtimes = {} } = await json<Manifest>(join(ROOT, "package.json"));
  for (const runtime of Object.keys(runtimes)) {
    const stage = join(out, runtime);
    if (await stageRuntime(runtime, stage)) stages.set(packedRuntime(runtime), stage);
  }
  return packStaged(stages, out);
}

async function stagePackage(published: Published, stage: string): Promise<Manifest> {
  const source = join(ROOT, "packages", published.folder);
  await copyModules(source, stage);
  for (const data of published.data) await cp(join(source, data), join(stage, data), { recursive: true });
  await cp(join(source, "README.md"), join(stage, "README.md"));
  for (const file of ["LICENSE", "NOTICE"]) await cp(join(ROOT, file), join(stage, file));
  const manifest = await json<Manifest>(join(source, "package.json"));
  const { optionalDependencies: runtimes = {} } = await json<Manifest>(join(ROOT, "package.json"));
  const text = JSON.stringify(publishedManifest(manifest, published, runtimes), undefined, 2);
  await writeFile(join(stage, "package.json"), `${text}\n`);
  return manifest;
}

/** The name under which the Node of a platform is published. */
function packedRuntime(runtime: string): string {
  return `@colophon/${runtime}`;
}

/**
 * The Node that a platform's package brings, compressed, and nothing else of it.
 * @returns whether it is the platform of this machine
 */
async function stageRuntime(runtime: string, stage: string): Promise<boolean> {
  const source = join(ROOT, "node_modules", runtime);
  const manifest = await json<{ version: string; os: string; cpu: string }>(
    join(source, "package.json"),
  ).catch(() => null);
  if (manifest === null) return false;
  const { version, os, cpu } = manifest;
  const program = `node${process.platform === "win32" ? ".exe" : ""}`;
  await mkdir(stage, { recursive: true });
  await cp(join(source, "LICENSE"), join(stage, "LICENSE"));
  await pipeline(
    createReadStream(join(source, "bin", program)),
    createBrotliCompress({ params: BROTLI }),
    createWriteStream(join(stage, `${program}.br`)),
  );
  const description = `Node ${version}, compressed, for the colophon command`;
  const published = { name: packedRuntime(runtime), version, description, license: "MIT", os, cpu };
  const text = JSON.stringify({ ...published, files: [`${program}.br`] }, undefined, 2);
  await writeFile(join(stage, "package.json"), `${text}\n`);
  return true;
}

/**
 * What the service sends to browsers: the console as it is built, and the viewer of the API reference with its notices.
 */
async function addPages(stage: string): Promise<void> {
  await buildConsole(join(stage, CONSOLE));
  const viewer = createRequire(join(ROOT, "packages/server/package.json")).resolve("#redoc");
  await cp(viewer, join(stage, VIEWER));
  await cp(`${viewer}.LICENSE.txt`, join(stage, `${VIEWER}.LICENSE.txt`));
}

/** The compiled form of every module there is now; what the compiler left of removed ones stays behind. */
async function copyModules(source: string, stage: string): Promise<void> {
  for (const entry of await readdir(join(source, "src"), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".ts")) continue;
    const path = join(relative(join(source, "src"), entry.parentPath), entry.name.slice(0, -".ts".length));
    for (const extension of [".js", ".d.ts"]) {
      const text = await readFile(join(source, "dist", path + extension), "utf8");
      const target = join(stage, "dist", path + extension);
      await mkdir(dirname(target), { recursive: true });
      // The sources do not go with it, so a map would lead nowhere.
      await writeFile(target, text.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"));
    }
  }
}

function publishedManifest(
  manifest: Manifest,
  { folder, node, data, imports }: Published,
  runtimes: Readonly<Record<string, string>>,
): object {
  const { name, version, description, license, dependencies, optionalDependencies, bin } = manifest;
  const entry = { types: "./dist/index.d.ts", default: "./dist/index.js" };
  return {
    name,
    version,
    description,
    keywords: ["colophon", "provenance", "images", "c2pa"],
    license,
    type: "module",
    engines: { node },
    files: ["dist", ...data, ...(folder === "server" ? [CONSOLE] : [])],
    ...(imports && { imports }),
    ...(bin === undefined
      ? { sideEffects: false, exports: { ".": entry, "./package.json": "./package.json" } }
      : { exports: { "./package.json": "./package.json" }, bin }),
    dependencies,
    // In this repository the workspace brings the runtime that the command needs; installed alone it brings its own.
    optionalDependencies:
      bin === undefined
        ? optionalDependencies
        : Object.fromEntries(
            Object.entries(runtimes).map(([runtime, pinned]) => [packedRuntime(runtime), pinned]),
          ),
  };
}

/** Has npm pack all of them at once: for each alone it starts as long as it packs. @param stages by name */
async function packStaged(
  stages: ReadonlyMap<string, string>,
  out: string,
): Promise<ReadonlyMap<string, string>> {
  const options = ["--json", "--pack-destination", out];
  const { stdout } = await run("npm", ["pack", ...options, ...stages.values()], {
    cwd: out,
    maxBuffer: MOST_LISTED,
  });
  const packed: { name: string; filename: string }[] = JSON.parse(stdout);
  const files = new Map(packed.map(({ name, filename }) => [name, join(out, filename)]));
  return new Map(
    [...stages.keys()].map((name) => {
      const file = files.get(name);
      if (file === undefined) throw new Error(`npm has not packed ${name}.`);
      return [name, file];
    }),
  );
}

async function json<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, "utf8")) as T;
}

if (import.meta.main) {
  readCommandLine({});
  for (const tarball of (await packAll(join(ROOT, "dist/packages"))).values()) {
    process.stdout.write(`${relative(ROOT, tarball)}\n`);
  }
}
