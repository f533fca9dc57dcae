import { refuse } from "@colophon/contract";
import { isHash } from "@colophon/formats";
import type { JsonObject } from "./read-json.ts";

/**
 * The hashes a resume body declares; left out or null is an empty list.
 * @throws Refusal malformedRequest, tooManyDeclaredHashes, invalidDeclaredHash
 */
export function declaredHashes(body: JsonObject, cap: number): readonly string[] {
  const { hashes, ...others } = body;
  if (Object.keys(others).length > 0) throw refuse("malformedRequest", "unknownField");
  if (hashes === undefined || hashes === null) return [];
  if (!Array.isArray(hashes)) throw refuse("malformedRequest", "hashesNotAList");
  if (hashes.length > cap) throw refuse("tooManyDeclaredHashes");
  const declared: string[] = hashes.map((hash: unknown) => {
    if (typeof hash !== "string" || !isHash(hash)) throw refuse("invalidDeclaredHash", "notAHash");
    return hash;
  });
  if (new Set(declared).size < declared.length) throw refuse("invalidDeclaredHash", "repeated");
  return declared;
}
