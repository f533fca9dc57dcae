import { createHash } from "node:crypto";
import { KeepAliveClient } from "@colophon/testing/keep-alive-client.ts";
import { type Behaviour, repeatedly } from "./behaviour.ts";

const CLIENTS = 16;
/** As many as one request may name. */
const HASHES = 1_000;

/** Sixteen clients that ask for the records of a thousand images at a time. */
export const recordBatches: Behaviour = async (attack) => {
  using client = new KeepAliveClient(attack.baseUrl, CLIENTS);
  const hashes = Array.from({ length: HASHES }, (_, at) =>
    createHash("sha256").update(`image ${at}`).digest("hex"),
  );
  const body = Buffer.from(JSON.stringify({ originalImageHashes: hashes }));
  const headers = {
    authorization: `Bearer ${attack.token}`,
    "content-type": "application/json",
    "content-length": body.length,
  };
  await repeatedly(attack, CLIENTS, async () => {
    const request = { method: "POST", path: "/records", headers, body: () => [body] };
    attack.count(String((await client.send(request)).status));
  });
};
