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

/** @throws Refusal malformedRequest when there is a query string, if an empty one */
export function assertNoQueryString({ request }: Call): void {
  if (request.url?.includes("?")) throw refuse("malformedRequest", "queryString");
}

/**
 * How many a parameter asks for.
 * @param most of at most three digits
 * @throws Refusal malformedRequest for what is no whole number from 1 to `most`
 */
export function countOf(
  sent: string | undefined,
  { otherwise, most, detail }: { otherwise: number; most: number; detail: "badLimit" | "badMaxResults" },
): number {
  if (sent === undefined) return otherwise;
  const count = /^[0-9]{1,3}$/.test(sent) ? Number(sent) : 0;
  if (count < 1 || count > most) throw refuse("malformedRequest", detail);
  return count;
}
