import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ConsoleUnderTest } from "./support/console-under-test.ts";

const PREFIX = "/registry";

let console: ConsoleUnderTest;
let proxy: Server;

beforeAll(async () => {
  console = await ConsoleUnderTest.start({ COLOPHON_ENGINE: "none" });
  proxy = createServer((asked, answer) => {
    const { method = "GET", headers, url = "" } = asked;
    // What is not under the prefix is left to the service to know nothing of.
    const path = url.startsWith(`${PREFIX}/`) ? url.slice(PREFIX.length) : `/elsewhere${url}`;
    const target = new URL(path, console.baseUrl);
    const passed = request(target, { method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    asked.pipe(passed);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
});

afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await console[Symbol.asyncDispose]();
});

it("behind a proxy that gives the service a path of its own, console and reference work", async () => {
  const { port } = proxy.address() as AddressInfo;
  const visitor = await console.open();
  const address = `http://127.0.0.1:${port}${PREFIX}`;
  await visitor.page.goto(`${address}/console`);
  await visitor.signIn(await console.token());
  await visitor.goTo("Account");
  await visitor.page.getByText("of 500 left").first().waitFor();
  expect(visitor.page.url()).toBe(`${address}/console/#/account`);
  await visitor.page.goto(`${address}/docs`);
  await visitor.page.getByRole("heading", { name: /^Colophon/, level: 1 }).waitFor();
  expect(visitor.faults).toEqual([]);
});
