import type { Logger } from "pino";
import type { Config } from "../config/environment.ts";
import type { LogSigner } from "../keys/log-signer.ts";
import type { Database } from "../store/database.ts";
import type { Origin } from "./origin.ts";
import { Sequencer } from "./sequencer.ts";
import { SignedHead } from "./signed-head.ts";
import { Timestamps } from "./timestamps.ts";
import { Witnesses } from "./witnesses.ts";

/** The log as this process keeps it: the sequencer, and those who are asked to sign what it has signed. */
export interface KeptLog extends AsyncDisposable {
  /** Of the log as it was at the start. */
  readonly origin: Origin;
}

/**
 * Opens the log, or begins it, and keeps it until it is disposed. One that was begun under another base URL keeps its
 * origin, and a line says so.
 * @param origin that the base URL gives, of a log that begins now
 */
export async function keepLog(
  config: Pick<Config, "dataDir" | "witnesses" | "timestampUrl">,
  parts: { readonly database: Database; readonly signer: LogSigner; readonly log: Logger },
  origin: string,
): Promise<KeptLog> {
  const { database, log } = parts;
  await using started = new AsyncDisposableStack();
  const witnesses = started.use(new Witnesses(database, config.witnesses, log));
  const stamps =
    config.timestampUrl === null ? null : started.use(new Timestamps(database, config.timestampUrl, log));
  const onSigned = (): void => {
    witnesses.ask();
    stamps?.look();
  };
  const head = new SignedHead(config.dataDir);
  const sequencer = started.use(await Sequencer.start({ ...parts, head, origin, onSigned }));
  const begunAs = sequencer.origin.origin;
  if (begunAs !== origin) {
    log.warn({ log: begunAs, here: origin }, "the base URL is not the one that the log was begun under");
  }
  // Of the checkpoint before the start, not all may have been asked.
  onSigned();
  const running = started.move();
  return { origin: sequencer.origin, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
