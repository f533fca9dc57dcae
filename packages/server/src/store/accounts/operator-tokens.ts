import type { Read, Write } from "../database.ts";
import { tokenHash } from "./tokens.ts";

/** Which of these SHA-256 in hex are of the operator's token. */
export async function operatorTokens(
  read: Read,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, true>> {
  const asked = hashes.map((hash) => Buffer.from(hash, "hex"));
  const rows = await read
    .selectFrom("operatorToken")
    .select("tokenHash")
    .where("tokenHash", "in", asked)
    .execute();
  return new Map(rows.map(({ tokenHash: hash }) => [hash.toString("hex"), true]));
}

/** Has this token open `/admin`, and no other. */
export async function replaceOperatorToken(write: Write, token: string): Promise<void> {
  await write.deleteFrom("operatorToken").execute();
  await write
    .insertInto("operatorToken")
    .values({ tokenHash: tokenHash(token) })
    .execute();
}
