import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import {
  cosign,
  KEY_TYPE,
  parseAddCheckpoint,
  parseNote,
  verifierKey,
  writeSignatureLine,
  writeVkey,
} from "@colophon/log";

/** A witness that cosigns whatever it is sent. */
export interface Witness extends AsyncDisposable {
  /** A line of `COLOPHON_WITNESSES`. */
  readonly setting: string;
}

/** Starts a witness of this name. */
export async function startWitness(name: string): Promise<Witness> {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ type: "spki", format: "der" }).subarray(-32);
  const key = verifierKey(name, KEY_TYPE.cosignature, raw);
  const lineFor = (body: string): string => {
    const note = parseNote(parseAddCheckpoint(body).checkpoint);
    return writeSignatureLine(cosign(note.text, key, new Date(), (bytes) => sign(null, bytes, privateKey)));
  };
  const server = createServer((request, response) => {
    void text(request).then((body) => response.end(lineFor(body)));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    setting: `${writeVkey(key)} http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
