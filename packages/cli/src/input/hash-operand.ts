import { existsSync } from "node:fs";
import { blake3Hex, isHash } from "@colophon/formats";
import { Failure } from "../failure.ts";
import { bytesOf } from "../file-faults.ts";
import { shown } from "../shown.ts";

/**
 * The BLAKE3 hash that `HASH|FILE` means: the one given, or that of the file's bytes.
 *
 * @throws Failure (usage)
 */
export async function hashOperand(given: string): Promise<string> {
  if (isHash(given)) return given;
  if (existsSync(given)) return blake3Hex(await bytesOf(given));
  throw Failure.usage(`${shown(given)} is neither a hash of 64 hex digits nor a file.`);
}
