import { refuse } from "@colophon/contract";
import { appendOperation } from "../../store/custody/ledgers.ts";
import { type Database, writing } from "../../store/database.ts";
import { changeSetAside } from "../../store/originals/originals.ts";

/**
 * Sets an original aside or lets it match again, as an operator wants it, and writes the reason to the ledger of whose
 * it is. What is so already stays, and nothing is written.
 * @throws Refusal originalNotFound
 */
export async function setAside(
  database: Database,
  originalImageHash: string,
  { kind, reason }: { readonly kind: "setAside" | "reinstated"; readonly reason: string },
): Promise<void> {
  const hash = Buffer.from(originalImageHash, "hex");
  await writing(database, async (write) => {
    const original = await changeSetAside(write, hash, kind === "setAside");
    if (original === null) throw refuse("originalNotFound");
    const { accountId, isChanged } = original;
    if (isChanged) await appendOperation(write, { accountId, kind, originalImageHash: hash, reason });
  });
}
