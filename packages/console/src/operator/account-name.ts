import type { Account } from "./answers.ts";

/** What an account is called: its name, or the beginning of its id. */
export function accountName({ name, accountId }: Pick<Account, "name" | "accountId">): string {
  return name === null || name.trim() === "" ? `Account ${accountId.slice(0, 8)}` : name;
}
