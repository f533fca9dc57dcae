import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compileFunction } from "node:vm";
import * as library from "@colophon/client";
import { encodeFrame, verifyLedger, verifyRecord } from "@colophon/formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN_TOKEN, freshPhoto, TestService } from "./support.ts";

const SOURCES = new URL("../src/", import.meta.url).pathname;
/** A docstring that has an example, and the name of what it documents. */
const EXAMPLE = /@example\n((?: *\* ?.*\n)+?) *\*\/\n *(?:export )?(?:async \*?)?(?:class |function )?(\w+)/g;
const FILES = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && examplesOf(file).length > 0)
  .toSorted();

interface Example {
  readonly name: string;
  readonly code: string;
}

function examplesOf(file: string): Example[] {
  const text = readFileSync(join(SOURCES, file), "utf8");
  return Array.from(text.matchAll(EXAMPLE), ([, lines = "", name = ""]) => ({
    name,
    code: lines.replaceAll(/^ *\* ?/gm, ""),
  }));
}

let service: TestService;

beforeAll(async () => {
  service = await TestService.start();
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

describe.each(FILES)("the examples of %s", (file) => {
  it.each(examplesOf(file))("$name runs as it stands", async ({ code }) => {
    const token = await service.token();
    const { baseUrl } = service;
    const said: unknown[][] = [];
    const names = {
      ...library,
      encodeFrame,
      verifyLedger,
      verifyRecord,
      baseUrl,
      token,
      adminToken: ADMIN_TOKEN,
      client: new library.ColophonClient({ baseUrl, token }),
      operator: new library.OperatorClient({ baseUrl, token: ADMIN_TOKEN }),
      photo: await freshPhoto("photo.jpg"),
      anotherPhoto: await freshPhoto("another.jpg"),
      console: { log: (...words: unknown[]) => said.push(words) },
    };
    const run = compileFunction(`return (async () => {${code}})();`, Object.keys(names));
    await run(...Object.values(names));
    for (const [, promised] of code.matchAll(/console\.log\(.*\); \/\/ (.*)/g)) {
      expect(said.map((words) => JSON.stringify(words[0]))).toContain(
        JSON.stringify(JSON.parse(promised ?? "")),
      );
    }
  });
});

it("every method of the client has an example", () => {
  const without = [
    "client.ts",
    "routes/library.ts",
    "routes/lookup-slots.ts",
    "routes/operator-client.ts",
    "routes/registration-slots.ts",
    "routes/sequences.ts",
  ].flatMap((file) => {
    const text = readFileSync(join(SOURCES, file), "utf8");
    const shown = new Set(["constructor", ...examplesOf(file).map(({ name }) => name)]);
    const methods = Array.from(text.matchAll(/\n  (?:async \*?)?([a-zA-Z]+)\(/g), ([, name = ""]) => name);
    return methods.filter((name) => !shown.has(name));
  });
  expect(without).toEqual([]);
});
