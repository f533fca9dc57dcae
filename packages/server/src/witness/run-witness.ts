import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { KEY_TYPE, type VerifierKey, writeVkey } from "@colophon/log";
import { listening } from "../config/listening.ts";
import { witnessKeyFile } from "../config/secret-files.ts";
import { LogSigner } from "../keys/log-signer.ts";
import { witnessServer } from "./witness-server.ts";
import { WitnessState } from "./witness-state.ts";

/** What a witness is started with. */
export interface WitnessOptions {
  /** The name of its key, an address without its scheme. */
  readonly name: string;
  /** Where its key is, made once, and what it has signed. */
  readonly dataDir: string;
  readonly logs: readonly VerifierKey[];
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
}

/** Runs a witness until the signal is aborted. Prints where it listens, and its vkey, on stdout. */
export async function runWitness(options: WitnessOptions, signal: AbortSignal): Promise<void> {
  const signer = new LogSigner(await witnessKeyFile(options.dataDir));
  const key = signer.keyOf(options.name, KEY_TYPE.cosignature);
  using state = new WitnessState(options.dataDir);
  const server = witnessServer({ key, signer, logs: options.logs, state });
  await listening({ ...options, settings: ["--host", "--port"] }, async () => {
    server.listen(options.port, options.host);
    await once(server, "listening");
  });
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;
  process.stdout.write(`Witness listens at http://${host}:${port}\n${writeVkey(key)}\n`);
  if (!signal.aborted) await once(signal, "abort");
  server.close();
  server.closeAllConnections();
}
