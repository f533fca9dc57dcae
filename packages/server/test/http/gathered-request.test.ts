import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, Socket } from "node:net";
import { expect, test } from "vitest";
import { AddressRanges } from "../../src/config/address-ranges.ts";
import { eraseOnceParsed } from "../../src/http/body/erase.ts";
import { GatheredRequest } from "../../src/http/pace/gathered-request.ts";
import { KnownCallers } from "../../src/http/pace/known-callers.ts";
import { LoopPace } from "../../src/http/pace/loop-pace.ts";
import { RequestPace } from "../../src/http/pace/request-pace.ts";

/** A body in the chunks of HTTP/1.1. */
const inChunks = (chunks: readonly Buffer[]): Buffer =>
  Buffer.concat([
    ...chunks.flatMap((chunk) => [
      Buffer.from(`${chunk.length.toString(16)}\r\n`),
      chunk,
      Buffer.from("\r\n"),
    ]),
    Buffer.from("0\r\n\r\n"),
  ]);

/** Sends a body in these chunks. Returns the pieces that were handed on, and how many the parser found. */
async function sent(chunks: readonly Buffer[]): Promise<{ pieces: readonly Buffer[]; parsed: number }> {
  const { promise, resolve } = Promise.withResolvers<{ pieces: readonly Buffer[]; parsed: number }>();
  const server = createServer({ IncomingMessage: GatheredRequest }, (request) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(Buffer.from(piece)));
    request.on("end", () => resolve({ pieces, parsed: request.takeParsed() }));
  });
  server.on("connection", eraseOnceParsed);
  server.listen();
  const socket = connect((server.address() as AddressInfo).port);
  socket.write("POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n");
  socket.write(inChunks(chunks));
  const received = await promise;
  socket.destroy();
  server.close();
  await once(server, "close");
  return received;
}

const numbered = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, k) => k % 251));

test.each([
  ["of a byte each", Array.from({ length: 20_000 }, (_, k) => Buffer.of(k % 251))],
  ["of all sizes", Array.from({ length: 60 }, (_, k) => numbered((k * 397) % 9_000 || 1))],
  ["of which one is large among small ones", [numbered(3), numbered(2), numbered(70_000), numbered(1)]],
])("a body in chunks %s is handed on whole and in its order", async (_, chunks) => {
  const { pieces } = await sent(chunks);
  expect(Buffer.concat(pieces).equals(Buffer.concat(chunks))).toBe(true);
});

test("chunks of a byte are handed on together, and each of them counts", async () => {
  const { pieces, parsed } = await sent(Array.from({ length: 20_000 }, () => Buffer.of(7)));
  expect(pieces.length).toBeLessThan(200);
  expect(parsed).toBeGreaterThanOrEqual(20_000);
});

test("whoever sends many small pieces waits for it beside others", async () => {
  const loop = new LoopPace();
  const request = new GatheredRequest(new Socket());
  const pace = new RequestPace(loop, new KnownCallers(new AddressRanges([])), request);
  await loop.turn({ key: "somebody else", isStranger: false }, 1, {});
  request.on("data", () => {});
  for (let piece = 0; piece < 100_000; piece += 1) request.push(Buffer.of(7));
  let waits = true;
  const passed = pace.passed(100_000).then(() => (waits = false));
  await new Promise((resolve) => setImmediate(resolve));
  expect(waits).toBe(true);
  loop.close();
  await passed;
});
