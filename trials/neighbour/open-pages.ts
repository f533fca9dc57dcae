import { KeepAliveClient } from "@colophon/testing/keep-alive-client.ts";
import { type Behaviour, repeatedly } from "./behaviour.ts";

const CLIENTS = 120;
const PAGES = ["/health", "/ready", "/console/", "/docs/", "/nowhere", `/records/${"a".repeat(4_000)}`];

/** 120 clients without a token that ask for pages, for the service's health, and for what is not there. */
export const openPages: Behaviour = async (attack) => {
  using client = new KeepAliveClient(attack.baseUrl, CLIENTS);
  await repeatedly(attack, CLIENTS, async (lane) => {
    const path = PAGES[lane % PAGES.length] ?? "/";
    attack.count(String((await client.send({ method: "GET", path, headers: {} })).status));
  });
};
