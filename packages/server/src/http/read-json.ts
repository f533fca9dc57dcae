import type { IncomingMessage } from "node:http";
import { refuse } from "@colophon/contract";
import { wholeBody } from "./body.ts";

/** Bytes of a JSON body: room for the longest hash list a deployment may allow. */
export const JSON_LIMIT = 16_777_216;

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * A JSON object body of at most `limit` bytes; an absent body is an empty object where `optional`.
 * @throws Refusal malformedRequest, requestTooLarge
 */
export async function readJson(
  request: IncomingMessage,
  limit: number,
  options: { optional?: boolean } = {},
): Promise<JsonObject> {
  const body = await wholeBody(request, limit);
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
