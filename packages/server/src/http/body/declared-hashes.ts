import { Refusal, refuse } from "@colophon/contract";
import { isHash } from "@colophon/formats";
import type { Body } from "./body.ts";
import { fieldsOf, type JsonObject, readJson } from "./read-json.ts";

/**
 * Bytes of a JSON list that a hash takes at most: 384 with every character escaped, and white space; and of all that is
 * no hash, in the list or around it.
 */
const HASH_BYTES = 512;
const FRAME_BYTES = 65_536;
/** Values of such a body that are no hashes: itself, its list, and others that it should not have. */
const FRAME_VALUES = 64;

/**
 * A JSON body that lists hashes: as long as so many hashes need, with as many values, and no more.
 * @throws Refusal tooManyDeclaredHashes past that, requestTooLarge past `maxRequestBytes`; malformedRequest
 */
export async function readHashList(
  body: Body,
  { cap, maxRequestBytes, optional }: { cap: number; maxRequestBytes: number; optional: boolean },
): Promise<JsonObject> {
  body.assertDeclared(maxRequestBytes);
  const limit = FRAME_BYTES + cap * HASH_BYTES;
  try {
    return await readJson(body, Math.min(limit, maxRequestBytes), {
      optional,
      mostValues: cap + FRAME_VALUES,
    });
  } catch (error) {
    const isTooLong = error instanceof Refusal && error.code === "requestTooLarge";
    throw isTooLong && limit < maxRequestBytes ? refuse("tooManyDeclaredHashes") : error;
  }
}

/** A hash that a client names, lowercase hex. @throws Refusal invalidDeclaredHash */
export function declaredHash(value: unknown): string {
  if (typeof value !== "string" || !isHash(value)) throw refuse("invalidDeclaredHash", "notAHash");
  return value;
}

/**
 * The hashes a resume body declares; left out or null is an empty list.
 * @throws Refusal malformedRequest, tooManyDeclaredHashes, invalidDeclaredHash
 */
export async function declaredHashes(
  source: Body,
  { maxDeclaredHashes, maxRequestBytes }: { maxDeclaredHashes: number; maxRequestBytes: number },
): Promise<readonly string[]> {
  const cap = maxDeclaredHashes;
  const body = await readHashList(source, { cap, maxRequestBytes, optional: true });
  const { hashes } = fieldsOf(body, ["hashes"]);
  if (hashes === undefined || hashes === null) return [];
  if (!Array.isArray(hashes)) throw refuse("malformedRequest", "hashesNotAList");
  if (hashes.length > cap) throw refuse("tooManyDeclaredHashes");
  const declared = hashes.map(declaredHash);
  if (new Set(declared).size < declared.length) throw refuse("invalidDeclaredHash", "repeated");
  return declared;
}
