import type { MintedToken, TokenList } from "@colophon/contract";
import { type Command, operand, textOption } from "../command.ts";
import { printJson, printLine, printTable } from "../print.ts";
import { adminClient, SERVICE_OPTIONS, wantsJson } from "../service-options.ts";
import { accountPath } from "./account.ts";

const mint: Command = {
  words: ["token", "mint"],
  operands: ["ACCOUNT"],
  summary: "Mint a token and print it, the only time it is shown",
  options: {
    label: { placeholder: "TEXT", summary: "A label for the operator's own use" },
    ...SERVICE_OPTIONS,
  },
  run: async (invocation) => {
    const label = textOption(invocation, "label");
    const client = await adminClient(invocation);
    const path = `${accountPath(invocation)}/tokens`;
    const minted = await client.call<MintedToken>("POST", path, label === undefined ? {} : { label });
    if (wantsJson(invocation)) return printJson(minted);
    printLine(minted.token);
    process.stderr.write(`Token ${minted.tokenId}. Keep the line above: it is not shown again.\n`);
  },
};

const list: Command = {
  words: ["token", "list"],
  operands: ["ACCOUNT"],
  summary: "List an account's tokens, without the tokens themselves",
  options: SERVICE_OPTIONS,
  run: async (invocation) => {
    const client = await adminClient(invocation);
    const answer = await client.call<TokenList>("GET", `${accountPath(invocation)}/tokens`);
    if (wantsJson(invocation)) return printJson(answer);
    printTable([
      ["TOKEN", "LABEL", "CREATED", "LAST USED", "REVOKED"],
      ...answer.tokens.map((token) => [
        token.tokenId,
        token.label ?? "-",
        token.createdAt,
        token.lastUsedAt ?? "-",
        token.revokedAt ?? "-",
      ]),
    ]);
  },
};

const revoke: Command = {
  words: ["token", "revoke"],
  operands: ["ACCOUNT", "TOKEN_ID"],
  summary: "Revoke a token at once",
  options: SERVICE_OPTIONS,
  run: async (invocation) => {
    const client = await adminClient(invocation);
    const tokenId = operand(invocation, 1);
    await client.call<null>("DELETE", `${accountPath(invocation)}/tokens/${encodeURIComponent(tokenId)}`);
    if (wantsJson(invocation)) printJson({ revoked: true });
    else printLine("Revoked.");
  },
};

/** The operator's commands on tokens. */
export const tokenCommands: readonly Command[] = [mint, list, revoke];
