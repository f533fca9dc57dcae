import { afterAll, beforeAll, expect, it } from "vitest";
import { ConsoleUnderTest } from "./support/console-under-test.ts";

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
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, { summary: string }>> };
  const summaries = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ summary }) => summary),
  );
  const headings = (await page.locator("h2").allInnerTexts()).map((text) => text.trim());
  expect(headings).toEqual(expect.arrayContaining(summaries));

  await page.getByPlaceholder("Search...").fill("take down");
  await page.locator('[data-role="search:results"]').getByText("Take a registration down").waitFor();

  expect(asked.filter((url) => !url.startsWith(`${console.baseUrl}/`) && !url.startsWith("blob:"))).toEqual(
    [],
  );
  expect({ failed, said, faults: visitor.faults }).toEqual({ failed: [], said: [], faults: [] });
});
