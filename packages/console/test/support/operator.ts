import type { Visitor } from "./visitor.ts";

/** Signs in with the operator's token, and waits for the first view. */
export async function signInAsOperator(visitor: Visitor, token: string): Promise<void> {
  await visitor.page.getByLabel("The operator's token").check();
  await visitor.page.getByLabel("Token", { exact: true }).fill(token);
  await visitor.press("Sign in");
  await visitor.heading("Accounts").waitFor();
}

/** Opens an account and lands on its page. */
export async function openAccount(
  visitor: Visitor,
  name: string,
  grants: { readonly registrations: number; readonly lookups: number },
): Promise<void> {
  const { page } = visitor;
  await visitor.goTo("Accounts");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Registrations", { exact: true }).fill(String(grants.registrations));
  await page.getByLabel("Look-ups", { exact: true }).fill(String(grants.lookups));
  await visitor.press("Open the account");
  await visitor.heading(name).waitFor();
}

/** Mints a token on an account's page; answers it, as the page shows it this once. */
export async function mintToken(visitor: Visitor, label: string): Promise<string> {
  await visitor.page.getByLabel("Who or what it is for").fill(label);
  await visitor.press("Mint a token");
  await visitor.heading("The token, this once").waitFor();
  return visitor.page.locator(".minted-token code").innerText();
}

/** Opens a ledger of an account by the navigation. */
export async function openLedger(
  visitor: Visitor,
  ledger: "Custody" | "Usage",
  accountId: string,
): Promise<void> {
  await visitor.goTo(ledger);
  await visitor.page.getByLabel("Account", { exact: true }).selectOption(accountId);
}
