import { KeepAliveClient, postImage } from "@colophon/testing/keep-alive-client.ts";
import { type Attack, pause, repeatedly } from "./behaviour.ts";

/** How long a client waits that was told to come back later. */
const WHEN_BUSY_MS = 200;

/** Looks one image up over and over, `clients` at a time. */
export async function lookUpRepeatedly(attack: Attack, clients: number, image: Uint8Array): Promise<void> {
  using client = new KeepAliveClient(attack.baseUrl, clients);
  const request = postImage("/lookup", attack.token, image);
  await repeatedly(attack, clients, async () => {
    const { status } = await client.send(request);
    attack.count(String(status));
    if (status === 503) await pause(attack.signal, WHEN_BUSY_MS);
  });
}
