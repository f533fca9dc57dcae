import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { FROZEN_DOCUMENTS } from "../src/frozen-openapi.ts";
import {
  c2paDocument,
  EXTENSIONS,
  extensionsDocument,
  openApiDocument,
  REFUSALS,
  ROUTES,
} from "../src/index.ts";

const SPECTRAL_RULES = fileURLToPath(new URL("../.spectral.yaml", import.meta.url));
const ROOT = new URL("../../../", import.meta.url);
const bin = (name: string): string => fileURLToPath(new URL(`node_modules/.bin/${name}`, ROOT));

async function run(command: string, args: readonly string[]): Promise<string> {
  const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_COLOR: "1" };
  const { stdout, stderr } = await promisify(execFile)(bin(command), [...args], {
    cwd: ROOT,
    env: { ...process.env, ...quiet },
  });
  return `${stdout}\n${stderr}`;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Record<string, Media> };
  readonly responses: Record<string, { readonly $ref?: string; readonly content?: Record<string, Media> }>;
}
interface Media {
  readonly example?: unknown;
  readonly examples?: Record<
    string,
    { readonly value: { readonly title?: string; readonly status?: number } }
  >;
}
interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly info: { readonly version: string };
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly responses: Record<string, { readonly content: Record<string, Media> }> };
}

const file = (name: string): string => fileURLToPath(new URL(`../openapi/${name}`, import.meta.url));
const FILES = Object.keys(FROZEN_DOCUMENTS).map(file);

describe("the OpenAPI documents", () => {
  test("passes Redocly's recommended rules without a warning", async () => {
    const report = await run("redocly", ["lint", "--extends=recommended", ...FILES]);
    expect(report).toContain("Your API descriptions are valid");
    expect(report.toLowerCase()).not.toContain("warning");
  });

  test("passes Spectral's recommended rules without a warning", async () => {
    const report = await run("spectral", [
      "lint",
      "--ruleset",
      SPECTRAL_RULES,
      "--display-only-failures=false",
      "--fail-severity",
      "hint",
      ...FILES,
    ]);
    expect(report).toContain("No results with a severity of 'hint' or higher found!");
  });
});

const DOCUMENTS = [
  { name: "v1.json", describe: openApiDocument, routes: ROUTES },
  { name: "extensions.json", describe: extensionsDocument, routes: EXTENSIONS },
  {
    name: "c2pa.json",
    describe: c2paDocument,
    routes: EXTENSIONS.filter(({ path }) => /c2pa/.test(path)),
  },
];

describe.each(DOCUMENTS)("the OpenAPI document $name", ({ name, describe: describeDocument, routes }) => {
  const document: Document = JSON.parse(FROZEN_DOCUMENTS[name]?.() ?? "");
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

  test("is the one kept in the repository; tools/freeze-openapi.ts rewrites it", async () => {
    expect(FROZEN_DOCUMENTS[name]?.()).toBe(await readFile(file(name), "utf8"));
  });

  test("names the deployment's own version and address", () => {
    const options = { version: "1.2.3", baseUrl: "https://images.press.net/api" };
    const own: Document = JSON.parse(JSON.stringify(describeDocument(options)));
    expect(own.info.version).toBe("1.2.3");
    expect(own.servers.map(({ url }) => url)).toEqual(["https://images.press.net/api"]);
    expect({ ...own, info: document.info, servers: document.servers }).toEqual(document);
  });

  test("lists every route", () => {
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(
      routes.map(({ operationId }) => operationId).toSorted(),
    );
  });

  test("shows an example of every body, requests included", () => {
    for (const { requestBody, responses } of operations) {
      const answers = Object.values(responses).map(({ content }) => content ?? {});
      for (const media of [requestBody?.content ?? {}, ...answers].flatMap((content) =>
        Object.values(content),
      )) {
        expect(media.example !== undefined || Object.keys(media.examples ?? {}).length > 0).toBe(true);
      }
    }
  });

  test("shows under each status exactly the titles the route may answer", () => {
    for (const { operationId, responses } of operations) {
      const route = routes.find((candidate) => candidate.operationId === operationId);
      const codes = [
        ...(route?.refusals ?? []),
        ...(route?.auth === "none" ? [] : (["unauthorized"] as const)),
      ];
      const expected = [...codes, "unexpectedError" as const].map(
        (code) => `${REFUSALS[code].status} ${REFUSALS[code].title}`,
      );
      const shown = Object.entries(responses).flatMap(([status, response]) => {
        const shared = response.$ref?.replace("#/components/responses/", "") ?? "";
        const content = response.content ?? document.components.responses[shared]?.content;
        const examples = Object.values(content?.["application/problem+json"]?.examples ?? {});
        return examples.map(({ value }) => {
          expect(String(value.status)).toBe(status);
          return `${status} ${value.title}`;
        });
      });
      expect([...new Set(shown)].toSorted()).toEqual(expected.toSorted());
    }
  });
});
