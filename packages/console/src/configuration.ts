import { parseVkey, type VerifierKey } from "@colophon/log";
import { type Context, createContext } from "preact";
import { useContext } from "preact/hooks";

/** What the service says of itself to its console. */
export interface Configuration {
  /** What it answers to readers who have not signed in. */
  readonly reads: "off" | "records" | "lookups";
  /** The root of its own certificates, PEM, that its operator has records verified up to; null for none. */
  readonly trustRoot: string | null;
  /** Keys of the witnesses that its operator names. */
  readonly witnesses: readonly VerifierKey[];
}

/** A service that says nothing of itself. */
const NOTHING_SAID: Configuration = { reads: "off", trustRoot: null, witnesses: [] };

/** Asks the service for its configuration. One that cannot be read leaves everything to the reader. */
export async function readConfiguration(): Promise<Configuration> {
  try {
    const said = await (await fetch(new URL("configuration.json", location.href))).json();
    return { ...said, witnesses: said.witnesses.map(parseVkey) };
  } catch {
    return NOTHING_SAID;
  }
}

export const ConfigurationContext: Context<Configuration> = createContext<Configuration>(NOTHING_SAID);

/** The service's configuration. */
export function useConfiguration(): Configuration {
  return useContext(ConfigurationContext);
}
