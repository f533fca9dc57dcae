import { KeepAliveClient } from "@colophon/testing/keep-alive-client.ts";
import { type Behaviour, repeatedly } from "./behaviour.ts";

const CLIENTS = 60;

/** Sixty clients that ask for the account's figures as fast as they are answered. */
export const hammeredStats: Behaviour = async (attack) => {
  using client = new KeepAliveClient(attack.baseUrl, CLIENTS);
  const headers = { authorization: `Bearer ${attack.token}` };
  await repeatedly(attack, CLIENTS, async () => {
    attack.count(String((await client.send({ method: "GET", path: "/account/stats", headers })).status));
  });
};
