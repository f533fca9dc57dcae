import { refuse } from "@colophon/contract";
import type { Body } from "./body.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * A JSON object body of at most `limit` bytes; an absent body is an empty object where `optional`.
 * @throws Refusal malformedRequest, requestTooLarge, serviceUnavailable
 */
export async function readJson(
  source: Body,
  limit: number,
  options: { optional?: boolean } = {},
): Promise<JsonObject> {
  const body = await source.whole(limit);
  if (body.length === 0 && options.optional) return {};
  const value = parse(body);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw refuse("malformedRequest", "notJsonObject");
  }
  return value as JsonObject;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw refuse("malformedRequest", "notJsonObject");
  }
}
