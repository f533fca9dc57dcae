import { EXTENSIONS, type NamedRoute, ROUTES, type Setting } from "@colophon/contract";
import type { Config } from "../config/environment.ts";

const IS_ON: Readonly<Record<Setting, (config: Config) => boolean>> = {
  COLOPHON_C2PA: ({ c2pa }) => c2pa !== "off",
  COLOPHON_INSPECT: ({ inspect }) => inspect,
  COLOPHON_LOG: ({ log }) => log,
  // Content Credentials alone may be open too.
  COLOPHON_PUBLIC: ({ public: reads, c2pa }) => reads !== "off" || c2pa === "public",
};

/** The routes that a deployment answers: the contract's, and the extensions that it has not switched off. */
export function servedRoutes(config: Config): readonly NamedRoute[] {
  const isOn = ({ setting }: NamedRoute): boolean => setting === undefined || IS_ON[setting](config);
  return [...ROUTES, ...EXTENSIONS.filter(isOn)];
}
