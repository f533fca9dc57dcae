import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { RawConnection } from "@colophon/testing/raw-connection.ts";
import { Connections } from "../../src/http/connections.ts";

const REQUEST = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";

test("past the most connections the one that was idle for longest is cut, and none with a request", async () => {
  const connections = new Connections(3);
  const held: ServerResponse[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) =>
    connections.enter(request, response, () => {
      if (held.length > 0) response.end();
      else held.push(response);
    }),
  ).on("connection", (socket) => connections.open(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const open = (): Promise<RawConnection> => RawConnection.open(baseUrl);
  try {
    const busy = await open();
    busy.write(REQUEST);
    await once(server, "request");
    const [used, idle] = [await open(), await open()];
    used.write(REQUEST);
    await used.answers(1);
    const another = await open();
    await idle.end();
    another.write(REQUEST);
    expect(await another.answers(1)).toEqual([200]);
    expect([busy.ended, used.ended]).toEqual([false, false]);
    held[0]?.end();
    expect(await busy.answers(1)).toEqual([200]);
  } finally {
    connections.cutOff();
    server.close();
  }
});
