import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** An address of this machine at which nobody else listens, or connects from. */
export const OWN_HOST = "127.0.0.61";

/** A port of that address that stays free: nobody else is there. */
export async function freePort(): Promise<number> {
  await using server = createServer().listen(0, OWN_HOST);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
