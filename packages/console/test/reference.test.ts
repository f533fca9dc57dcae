import { ColophonClient, OperatorClient } from "@colophon/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { contrastFindings } from "./support/accessibility.ts";
import { ConsoleUnderTest } from "./support/console-under-test.ts";

const SAMPLES = new URL("../../server/reference/samples.js", import.meta.url).href;

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly "x-codeSamples"?: readonly { readonly source: string }[];
}

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** What the page's script offers. */
interface Samples {
  withSamples: (contract: Contract) => Contract;
}

let console: ConsoleUnderTest;

beforeAll(async () => {
  console = await ConsoleUnderTest.start({ COLOPHON_ENGINE: "none" });
});

afterAll(async () => {
  await console[Symbol.asyncDispose]();
});

it("the API reference draws every route of the contract, and asks no other host for anything", async () => {
  const visitor = await console.open();
  const { page } = visitor;
  // What the console's page still asks for is not the reference's.
  await page.goto("about:blank");
  const asked: string[] = [];
  const failed: string[] = [];
  const said: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on("requestfailed", (request) => failed.push(request.url()));
  page.on("console", (message) => said.push(message.text()));
  await page.goto(`${console.baseUrl}/docs`);
  await page.getByRole("heading", { name: /^Colophon/, level: 1 }).waitFor();

  const answer = await fetch(`${console.baseUrl}/openapi/v1.json`);
  const contract = (await answer.json()) as Contract;
  const summaries = Object.values(contract.paths).flatMap((methods) =>
    Object.values(methods).map(({ summary }) => summary),
  );
  const headings = async (): Promise<string[]> =>
    (await page.locator("h2").allInnerTexts()).map((text) => text.trim());
  await expect.poll(headings).toEqual(expect.arrayContaining(summaries));

  const { withSamples }: Samples = await import(SAMPLES);
  const samples = Object.values(withSamples(contract).paths).flatMap(Object.values<Operation>);
  const options = { baseUrl: console.baseUrl };
  const clients = { client: new ColophonClient(options), operator: new OperatorClient(options) };
  for (const { operationId, "x-codeSamples": sources } of samples) {
    const [curl, call = ""] = sources?.map(({ source }) => source) ?? [];
    expect.soft(curl, operationId).toMatch(/^curl( -X [A-Z]+)? "\$URL\//);
    const [, path = ""] = /\b((?:client|operator)(?:\.\w+)+)\(/.exec(call) ?? [];
    const method = path.split(".").reduce<unknown>((part, name) => Reflect.get(Object(part), name), clients);
    const isOpen = operationId === "getHealth" || operationId === "getOpenApi";
    expect.soft(typeof method, call).toBe(isOpen ? "undefined" : "function");
  }
  await page.getByRole("tab", { name: "TypeScript" }).first().waitFor();

  await page.getByPlaceholder("Search...").fill("take down");
  await page.locator('[data-role="search:results"]').getByText("Take a registration down").waitFor();

  expect(asked.filter((url) => !url.startsWith(`${console.baseUrl}/`) && !url.startsWith("blob:"))).toEqual(
    [],
  );
  expect({ failed, said, faults: visitor.faults }).toEqual({ failed: [], said: [], faults: [] });
  await page.goto(`${console.baseUrl}/docs/?extensions`);
  await page.getByText("/inspect").first().waitFor();
});

it.each(["light", "dark"] as const)("the API reference is to be read in the %s", async (colorScheme) => {
  const { page } = await console.open({ colorScheme });
  await page.goto(`${console.baseUrl}/docs/`);
  await page.getByRole("tab", { name: "TypeScript" }).first().waitFor();
  expect(await contrastFindings(page)).toEqual([]);
});

it("the API reference fits a window of 320 pixels", async () => {
  const { page } = await console.open();
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${console.baseUrl}/docs/`);
  await page.getByRole("tab", { name: "TypeScript" }).first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});
