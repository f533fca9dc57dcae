import { RawConnection } from "@colophon/testing/raw-connection.ts";
import { type Behaviour, repeatedly } from "./behaviour.ts";

const LANES = 32;
const REQUEST =
  "GET /account/stats HTTP/1.1\r\nHost: neighbour\r\nAuthorization: Bearer nobody-has-this-token\r\n\r\n";

/**
 * Thirty-two connections at a time that bring one request with an unknown token and are opened again after its answer.
 */
export const reconnections: Behaviour = async (attack) => {
  await repeatedly(attack, LANES, async () => {
    using connection = await RawConnection.open(attack.baseUrl);
    connection.write(REQUEST);
    for (const status of await connection.answers(1)) attack.count(String(status));
  });
};
