import { refuse } from "@colophon/contract";
import type { Call } from "./call.ts";

/**
 * The parameters of a query string, each at most once.
 * @throws Refusal malformedRequest for one that is not named, or sent twice
 */
export function queryParameters<Name extends string>(
  { request }: Call,
  names: readonly Name[],
): Readonly<Partial<Record<Name, string>>> {
  const sent = new URLSearchParams(request.url?.split("?").slice(1).join("?"));
  const known: ReadonlySet<string> = new Set(names);
  const isOnce = [...sent.keys()].every((name) => known.has(name) && sent.getAll(name).length === 1);
  if (!isOnce) throw refuse("malformedRequest", "unknownParameter");
  return Object.fromEntries(sent) as Partial<Record<Name, string>>;
}
