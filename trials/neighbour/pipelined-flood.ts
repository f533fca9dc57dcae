import { RawConnection } from "@colophon/testing/raw-connection.ts";
import { type Attack, type Behaviour, repeatedly } from "./behaviour.ts";

/** Requests sent at once on a connection before their answers are waited for. */
const AT_ONCE = 20_000;
const BYTES_AT_A_TIME = 60_000;

/**
 * Two connections that send twenty thousand requests at once, one with the account's token and one with an unknown one.
 */
export const pipelinedFlood: Behaviour = async (attack) => {
  const tokens = [attack.token, "clp_nobody-has-this-token"];
  await repeatedly(attack, tokens.length, (lane) => flood(attack, tokens[lane] ?? ""));
};

async function flood(attack: Attack, token: string): Promise<void> {
  using connection = await RawConnection.open(attack.baseUrl);
  const stop = (): void => connection[Symbol.dispose]();
  attack.signal.addEventListener("abort", stop);
  const request = Buffer.from(
    `GET /account/stats HTTP/1.1\r\nHost: neighbour\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  const some = Math.ceil(BYTES_AT_A_TIME / request.length);
  const batch = Buffer.concat(Array.from({ length: some }, () => request));
  for (let sent = 0; sent < AT_ONCE && !connection.ended; sent += some) {
    connection.write(batch);
    await connection.room();
  }
  await connection.answers(AT_ONCE);
  attack.signal.removeEventListener("abort", stop);
  for (const status of connection.statuses) attack.count(String(status));
}
