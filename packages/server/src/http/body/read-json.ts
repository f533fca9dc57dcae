import { refuse } from "@colophon/contract";
import { countJsonValues } from "@colophon/formats";
import type { Body } from "./body.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * A JSON object body of at most `limit` bytes; an absent body is an empty object where `optional`.
 * @param mostValues counted before any is made: many small ones would hold the event loop
 * @throws Refusal malformedRequest, requestTooLarge, serviceUnavailable; tooManyDeclaredHashes past `mostValues`
 */
export async function readJson(
  source: Body,
  limit: number,
  { optional = false, mostValues }: { optional?: boolean; mostValues?: number } = {},
): Promise<JsonObject> {
  const body = await source.whole(limit);
  if (body.length === 0 && optional) return {};
  if (mostValues !== undefined && (countJsonValues(body) ?? 0) > mostValues) {
    throw refuse("tooManyDeclaredHashes");
  }
  const value = parse(body);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw refuse("malformedRequest", "notJsonObject");
  }
  return value as JsonObject;
}

/** The fields of a body. @throws Refusal malformedRequest when it has one that is not named */
export function fieldsOf<Name extends string>(
  body: JsonObject,
  names: readonly Name[],
): Readonly<Partial<Record<Name, unknown>>> {
  const known: ReadonlySet<string> = new Set(names);
  if (!Object.keys(body).every((name) => known.has(name))) throw refuse("malformedRequest", "unknownField");
  return body as Readonly<Partial<Record<Name, unknown>>>;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw refuse("malformedRequest", "notJsonObject");
  }
}
