import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RawConnection } from "@colophon/testing/raw-connection.ts";
import { AddressRanges } from "../../src/config/address-ranges.ts";
import { type Bounds, Connections } from "../../src/http/connections.ts";
import { GatheredRequest } from "../../src/http/pace/gathered-request.ts";

const REQUEST = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";
const BOUNDS: Bounds = { connections: 3, heldBytes: 10_000 };

let connections: Connections;
let server: Server<typeof GatheredRequest>;
/** Requests that the parser has found, and of those that were begun the answers. */
let parsed: number;
let begun: ServerResponse[];
/** Whether requests are answered as they begin. */
let answering: boolean;

beforeEach(async () => {
  connections = new Connections(new AddressRanges([]), BOUNDS);
  [parsed, begun, answering] = [0, [], false];
  server = createServer({ IncomingMessage: GatheredRequest }, (request, response) => {
    parsed += 1;
    connections.enter(request, response, () => (answering ? response.end() : begun.push(response)));
  });
  server.on("connection", (socket) => connections.open(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterEach(() => {
  connections.cutOff();
  server.close();
});

/** Opens a connection, from the address of a peer. */
const open = (peer = "127.0.0.1"): Promise<RawConnection> =>
  RawConnection.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, peer);

/** Sends on a connection, and waits until a request of it is under way. */
async function begin(connection: RawConnection, bytes = REQUEST): Promise<void> {
  const parsing = once(server, "request");
  connection.write(bytes);
  await parsing;
}

test("past the most connections the one that was idle for longest is cut, and none with a request", async () => {
  const unanswered = await open();
  await begin(unanswered);
  const [used, idle] = [await open(), await open()];
  await begin(used);
  begun.pop()?.end();
  await used.answers(1);
  const another = await open();
  await idle.end();
  await begin(another);
  begun.pop()?.end();
  expect(await another.answers(1)).toEqual([200]);
  expect([unanswered.ended, used.ended]).toEqual([false, false]);
  begun.pop()?.end();
  expect(await unanswered.answers(1)).toEqual([200]);
});

test("past the most connections a peer that has most of them gives one up, even where all are busy", async () => {
  const many = await Promise.all([open(), open(), open()]);
  for (const connection of many) await begin(connection);
  const another = await open("127.0.0.3");
  await many[0].end();
  await begin(another);
  begun.pop()?.end();
  expect(await another.answers(1)).toEqual([200]);
  // Where everybody has as many, or would have, nobody who is busy goes.
  const third = await open("127.0.0.4");
  await begin(another);
  await many[1].end();
  await begin(third);
  const fourth = await open("127.0.0.5");
  await fourth.end();
  expect([another.ended, third.ended, many[2].ended]).toEqual([false, false, false]);
});

test("of requests that are sent at once, those are parsed whose turn it is", async () => {
  const connection = await open();
  await begin(connection, REQUEST.repeat(300));
  await new Promise((resolve) => setTimeout(resolve, 100));
  // The first, and those that came with the next 256 bytes.
  expect(parsed).toBeLessThan(30);
  await answerAll(connection, 300);
  expect(parsed).toBe(300);
});

test("past the most bytes that wait to be parsed, the connection that holds most is cut", async () => {
  const [small, large] = [await open(), await open()];
  await begin(small, REQUEST.repeat(100));
  large.write(REQUEST.repeat(400));
  await large.end();
  expect([small.ended, large.statuses]).toEqual([false, []]);
  await answerAll(small, 100);
});

/** Answers whatever was begun or begins, until a connection has so many answers. */
async function answerAll(connection: RawConnection, count: number): Promise<void> {
  answering = true;
  for (const response of begun) response.end();
  await connection.answers(count);
}
