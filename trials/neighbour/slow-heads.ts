import { RawConnection } from "@colophon/testing/raw-connection.ts";
import { type Behaviour, pause, repeatedly } from "./behaviour.ts";

const CONNECTIONS = 300;
const BETWEEN_LINES_MS = 100;
const MOST_LINES = 300;

/** Three hundred requests whose heads go on and on, a line every tenth of a second. */
export const slowHeads: Behaviour = async (attack) => {
  await repeatedly(attack, CONNECTIONS, async () => {
    using connection = await RawConnection.open(attack.baseUrl);
    connection.write("GET /account/stats HTTP/1.1\r\nHost: neighbour\r\n");
    for (let line = 0; line < MOST_LINES && !connection.ended && !attack.signal.aborted; line += 1) {
      connection.write(`X-Line-${line}: ${"a".repeat(40)}\r\n`);
      await pause(attack.signal, BETWEEN_LINES_MS);
    }
    for (const status of connection.statuses) attack.count(String(status));
  });
};
