import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = new URL("..", import.meta.url).pathname;

/** What each package may import, beside itself; the packages are listed from the bottom up. */
const FENCES: Record<string, { packages: readonly string[]; node: boolean }> = {
  contract: { packages: [], node: false },
  formats: { packages: [], node: false },
  log: { packages: ["@colophon/formats"], node: false },
  credentials: { packages: ["@colophon/formats"], node: false },
  engine: { packages: ["@colophon/formats"], node: true },
  server: {
    packages: ["@colophon/contract", "@colophon/formats", "@colophon/log", "@colophon/engine"],
    node: true,
  },
  client: { packages: ["@colophon/contract", "@colophon/formats"], node: false },
  cli: {
    packages: [
      "@colophon/contract",
      "@colophon/formats",
      "@colophon/log",
      "@colophon/credentials",
      "@colophon/client",
      "@colophon/server",
    ],
    node: true,
  },
  console: {
    packages: ["@colophon/client", "@colophon/credentials", "@colophon/formats", "@colophon/log"],
    node: false,
  },
};

/** The rooms of the repository beside the packages, from the bottom up; each may import any package. */
const HARNESS: readonly (readonly string[])[] = [["testing"], ["bench", "trials"], ["tools"]];

/**
 * The rooms of a package, floor by floor from the bottom up. A room is a folder with all that is in it, except what is
 * a room of its own; a single file can be one. A file imports from its own room and from lower floors, never from its
 * own floor's other rooms or from above: so there is no cycle, and the list is the order in which the package can be
 * read.
 */
const FLOORS: Record<string, readonly (readonly string[])[]> = {
  contract: [
    ["refusals.ts", "c2pa-version.ts", "unreadiness.ts"],
    ["refusal.ts"],
    ["sentences.ts"],
    ["schemas"],
    ["route.ts"],
    ["problem-schema.ts"],
    ["routes"],
    ["routes.ts"],
    ["openapi"],
    ["openapi.ts", "extensions-openapi.ts", "c2pa-openapi.ts"],
    ["frozen-openapi.ts", "index.ts"],
  ],
  formats: [
    ["bytes"],
    ["jumbf", "certificate", "sequence", "ledger.ts"],
    ["record"],
    ["verify"],
    ["index.ts"],
  ],
  client: [["http", "place-words.ts", "fault-words.ts"], ["routes"], ["client.ts"], ["batch"], ["index.ts"]],
  cli: [
    ["advice.ts", "nearest.ts", "shown.ts", "place-drawings.ts"],
    ["failure.ts"],
    ["command.ts", "print.ts", "file-faults.ts", "interruption.ts"],
    ["input", "help.ts", "invocation.ts", "replace-file.ts"],
    ["frames", "progress", "settings"],
    ["saved", "completion", "credentials"],
    ["commands"],
    ["main.ts"],
  ],
  console: [
    [
      "browser",
      "advice.ts",
      "answers.ts",
      "assets.d.ts",
      "configuration.ts",
      "route.ts",
      "view-props.ts",
      "wording.ts",
    ],
    ["components"],
    ["credentials", "register"],
    ["batch"],
    ["desk"],
    ["record", "library", "operator"],
    ["look-up"],
    ["views"],
    ["views.ts"],
    ["masthead.tsx"],
    ["app.tsx"],
    ["main.tsx"],
  ],
  engine: [
    ["wasm", "geometry", "learned", "matching/limits.ts"],
    ["image", "signing"],
    ["features/sift", "signature", "decoder"],
    ["features"],
    ["words", "packet"],
    ["examine", "matching/rank"],
    ["matching/place"],
    ["matching/compare"],
    ["matching/decide"],
    ["matching"],
    ["worker"],
    ["index.ts", "lab.ts"],
  ],
  server: [
    ["error-code.ts", "error-message.ts"],
    ["durable-file.ts"],
    ["config", "custody", "keys/vault.ts", "version.ts", "metrics"],
    ["store/tables"],
    ["store", "store/embedded", "log.ts", "outage.ts"],
    ["store/accounts", "store/log", "store/open-store.ts", "store/whole"],
    ["store/originals"],
    ["store/custody"],
    ["store/index", "store/sequences", "store/slots"],
    ["keys"],
    ["engine", "transparency", "witness"],
    ["registry"],
    ["registry/records", "registry/query-pool", "registry/log"],
    ["registry/registrations", "registry/slots", "registry/c2pa"],
    ["registry/lookups", "registry/sequences", "start-failure.ts", "http/client-address.ts"],
    ["operator-command.ts", "http/anonymous"],
    ["http/pace"],
    ["registry/library", "registry/operator", "sweeps", "fsck", "http/body", "http/pages"],
    ["backup", "keys/run-key-rotation.ts", "split"],
    ["http/answers"],
    ["http"],
    ["http/routes"],
    ["readiness.ts", "readings.ts"],
    ["compose.ts"],
    ["greeting.ts"],
    ["serve.ts"],
    ["run.ts"],
    ["index.ts", "main.ts"],
  ],
  log: [["tree"], ["note"], ["record", "witness"], ["audit"], ["index.ts"]],
};

async function sources(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

async function json<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(join(ROOT, path), "utf8")) as T;
}

/** The modules a file imports, without their subpaths. */
async function imports(file: string): Promise<string[]> {
  const text = await readFile(file, "utf8");
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s(?:[^;]*?\sfrom\s)?"([^"]+)"|\bimport\("([^"]+)"\)/g,
  );
  return [...found].map(([, from, dynamic]) => from ?? dynamic ?? "");
}

function moduleName(specifier: string): string {
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? "");
}

/** The innermost room that holds a file, named from the package's `src`; undefined when none does. */
function roomOf(file: string, rooms: readonly string[]): string | undefined {
  return rooms
    .filter((room) => file === room || file.startsWith(`${room}/`))
    .toSorted((a, b) => b.length - a.length)[0];
}

interface Manifest {
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

describe.each(Object.entries(FENCES))("package %s", (name, fence) => {
  test("imports only what its fence and its package.json allow", async () => {
    const manifest = await json<Manifest>(`packages/${name}/package.json`);
    const declared = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
    const strays: string[] = [];
    for (const file of await sources(join(ROOT, `packages/${name}/src`))) {
      for (const specifier of await imports(file)) {
        if (specifier.startsWith(".")) continue;
        const allowed = specifier.startsWith("node:") ? fence.node : declared.includes(moduleName(specifier));
        if (!allowed) strays.push(`${file.slice(ROOT.length)}: ${specifier}`);
      }
    }
    expect(strays).toEqual([]);
  });

  test("declares the packages its fence allows and refers to them", async () => {
    const manifest = await json<Manifest>(`packages/${name}/package.json`);
    const ours = Object.keys(manifest.dependencies ?? {}).filter((dependency) =>
      dependency.startsWith("@colophon/"),
    );
    expect(fence.packages).toEqual(expect.arrayContaining(ours));
    const { references = [] } = await json<{ references?: { path: string }[] }>(
      `packages/${name}/tsconfig.json`,
    );
    expect(references.map(({ path }) => path.replace("../", "@colophon/")).toSorted()).toEqual(
      ours.toSorted(),
    );
  });

  test("reaches no other package's files past its root", async () => {
    const strays: string[] = [];
    for (const file of await sources(join(ROOT, `packages/${name}/src`))) {
      for (const specifier of await imports(file)) {
        if (/^@colophon\/[^/]+\//.test(specifier) || /^(\.\.\/)+packages\//.test(specifier)) {
          strays.push(specifier);
        }
      }
    }
    expect(strays).toEqual([]);
  });
});

/** A line of a comment that is too wide, and no command or program in it. */
const WIDE = /^\s*(?:\/\/|\/\*\*?|\*) {0,3}\S.*$/;

test("comments end before column 121", async () => {
  const strays: string[] = [];
  for (const room of ["packages", "conformance", "test", ...HARNESS.flat()]) {
    for (const file of await sources(join(ROOT, room))) {
      if (/\/(node_modules|dist)\//.test(file)) continue;
      for (const [at, line] of (await readFile(file, "utf8")).split("\n").entries()) {
        if (line.length > 120 && WIDE.test(line)) strays.push(`${relative(ROOT, file)}:${at + 1}`);
      }
    }
  }
  expect(strays).toEqual([]);
});

test("the server's store alone speaks SQL", async () => {
  const folder = join(ROOT, "packages/server/src/");
  const strays: string[] = [];
  for (const file of await sources(folder)) {
    if (file.startsWith(`${folder}store/`)) continue;
    const text = await readFile(file, "utf8");
    const isStray = /"(kysely|pg)"|\bsql[`<]|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/.test(text);
    if (isStray) strays.push(file.slice(folder.length));
  }
  expect(strays).toEqual([]);
});

test("the client takes types alone from the contract, so that no schema reaches a browser", async () => {
  for (const file of await sources(join(ROOT, "packages/client/src"))) {
    const text = await readFile(file, "utf8");
    expect(text).not.toMatch(/(?:^|\n)(?:import|export) (?!type )[^;]*from "@colophon\/contract"/);
  }
});

test("the harness, the trials and measurements on it, and the tools import downwards", async () => {
  const rooms = HARNESS.flat();
  const floorOf = (room: string): number => HARNESS.findIndex((floor) => floor.includes(room));
  const strays: string[] = [];
  for (const from of rooms) {
    for (const file of await sources(join(ROOT, from))) {
      if (file.includes("/node_modules/")) continue;
      for (const specifier of await imports(file)) {
        const path = specifier.startsWith(".")
          ? relative(ROOT, join(dirname(file), specifier))
          : specifier.replace("@colophon/", "");
        const to = roomOf(path, rooms);
        if (to !== undefined && to !== from && floorOf(to) >= floorOf(from)) {
          strays.push(`${relative(ROOT, file)}: ${specifier}`);
        }
      }
    }
  }
  expect(strays).toEqual([]);
});

describe.each(Object.entries(FLOORS))("package %s", (name, floors) => {
  const folder = join(ROOT, `packages/${name}/src/`);
  const rooms = floors.flat();
  const floorOf = (room: string): number => floors.findIndex((floor) => floor.includes(room));

  test("keeps every file in a room, and no room empty", async () => {
    const files = (await sources(folder)).map((file) => file.slice(folder.length));
    expect(files.filter((file) => roomOf(file, rooms) === undefined)).toEqual([]);
    const used = new Set(files.map((file) => roomOf(file, rooms)));
    expect(rooms.filter((room) => !used.has(room))).toEqual([]);
  });

  test("imports downwards from room to room", async () => {
    const strays: string[] = [];
    for (const file of await sources(folder)) {
      const from = roomOf(file.slice(folder.length), rooms) ?? "";
      for (const specifier of await imports(file)) {
        if (!specifier.startsWith(".")) continue;
        const target = join(dirname(file), specifier).slice(folder.length);
        const to = roomOf(target, rooms) ?? "";
        if (to !== from && floorOf(to) >= floorOf(from)) {
          strays.push(`${file.slice(folder.length)}: ${target}`);
        }
      }
    }
    expect(strays).toEqual([]);
  });
});
