import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, Socket } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { AddressRanges } from "../../src/config/address-ranges.ts";
import { Connections } from "../../src/http/connections.ts";
import { Intake } from "../../src/http/intake.ts";
import { GatheredRequest } from "../../src/http/pace/gathered-request.ts";
import { ParserTurns } from "../../src/http/pace/parser-turns.ts";

/** A body that is declared by its length, or comes in chunks. */
interface Sent {
  readonly body: string;
  readonly chunk: number | null;
}

function requestOf({ body, chunk }: Sent): string {
  const head = "POST / HTTP/1.1\r\nhost: x\r\n";
  if (chunk === null) return `${head}content-length: ${body.length}\r\n\r\n${body}`;
  const chunks = body.match(new RegExp(`[^]{1,${chunk}}`, "g")) ?? [];
  const coded = chunks.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`);
  return `${head}transfer-encoding: chunked\r\n\r\n${coded.join("")}0\r\n\r\n`;
}

test("whatever is pipelined, and however it is cut, arrives as it was sent", async () => {
  const received: string[] = [];
  const connections = new Connections(new AddressRanges([]));
  const server = createServer({ IncomingMessage: GatheredRequest }, (request, response) =>
    connections.enter(request, response, () => {
      const pieces: Buffer[] = [];
      request.on("data", (piece: Buffer) => pieces.push(Buffer.from(piece)));
      request.on("end", () => {
        received.push(Buffer.concat(pieces).toString("latin1"));
        response.end();
      });
    }),
  );
  server.on("connection", (socket) => connections.open(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  // Blank lines end heads and chunked bodies; within bodies they end nothing.
  const body = fc.array(
    fc.constantFrom("\r\n\r\n", "\r\n", "x", "GET / HTTP/1.1\r\n\r\n", "y".repeat(3_000)),
    {
      maxLength: 12,
    },
  );
  const request = fc.record({
    body: body.map((parts) => parts.join("")),
    chunk: fc.option(fc.integer({ min: 1, max: 5_000 })),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { minLength: 1, maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 9_000 }), { maxLength: 6 }),
      async (requests, cuts) => {
        received.length = 0;
        const socket = connect({ port, host: "127.0.0.1", noDelay: true });
        let answers = "";
        socket.on("data", (bytes: Buffer) => (answers += bytes.toString("latin1")));
        let rest = requests.map(requestOf).join("");
        for (const cut of cuts) {
          socket.write(rest.slice(0, cut), "latin1");
          rest = rest.slice(cut);
          await new Promise((resolve) => setImmediate(resolve));
        }
        socket.write(rest, "latin1");
        while (answers.split("HTTP/1.1 200").length <= requests.length) await once(socket, "data");
        socket.destroy();
        expect(received).toEqual(requests.map((sent) => sent.body));
      },
    ),
    { numRuns: 60 },
  );
  connections.cutOff();
  server.close();
});

test("what was not parsed when the connection closes is erased", async () => {
  const socket = new Socket();
  const turns = new ParserTurns();
  const intake = new Intake(socket, {
    turns,
    peer: "a",
    bodyToCome: () => 0,
    isInLargeChunks: () => false,
    onHeld: () => {},
  });
  socket.resume();
  turns.wait("b", () => {});
  const bytes = Buffer.from("pixels of somebody");
  socket.push(bytes);
  expect(intake.held).toBe(bytes.length);
  socket.destroy();
  await once(socket, "close");
  expect(bytes.every((byte) => byte === 0)).toBe(true);
});

test("a body of nothing but blank lines is not handed on line by line", async () => {
  const socket = new Socket();
  const turns = new ParserTurns();
  const intake = new Intake(socket, {
    turns,
    peer: "a",
    bodyToCome: () => 0,
    isInLargeChunks: () => false,
    onHeld: () => {},
  });
  const pieces: number[] = [];
  socket.on("data", ({ length }: Buffer) => pieces.push(length));
  socket.push(Buffer.alloc(65_536, "\r\n\r\n"));
  while (intake.held > 0) await new Promise((resolve) => setImmediate(resolve));
  expect(pieces.reduce((sum, length) => sum + length, 0)).toBe(65_536);
  expect(pieces.length).toBeLessThanOrEqual(256);
  socket.destroy();
});

test("what one read brings of a body in large chunks is handed on at once", async () => {
  const socket = new Socket();
  const pieces: number[] = [];
  socket.on("data", ({ length }: Buffer) => pieces.push(length));
  const parts = { turns: new ParserTurns(), peer: "a", bodyToCome: () => 0, onHeld: () => {} };
  const intake = new Intake(socket, { ...parts, isInLargeChunks: () => true });
  socket.push(Buffer.alloc(65_536, "x"));
  while (pieces.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(pieces).toEqual([65_536]);
  expect(intake.held).toBe(0);
  socket.destroy();
});

test("chunks are large while what came last of them was, and the body has not ended", () => {
  const request = new GatheredRequest(new Socket());
  expect(request.isInLargeChunks).toBe(false);
  request.push(Buffer.alloc(8_192));
  expect(request.isInLargeChunks).toBe(true);
  request.push(Buffer.of(7));
  expect(request.isInLargeChunks).toBe(false);
});
