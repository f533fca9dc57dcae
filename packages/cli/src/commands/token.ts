import { type Command, operand, textOption } from "../command.ts";
import { printJson, printLine, printTable } from "../print.ts";
import { operatorClient, SERVICE_OPTIONS, wantsJson } from "../service-options.ts";

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
    const client = await operatorClient(invocation);
    const minted = await client.mintToken(operand(invocation, 0), { label });
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
    const client = await operatorClient(invocation);
    const answer = await client.tokens(operand(invocation, 0));
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
    const client = await operatorClient(invocation);
    await client.revokeToken(operand(invocation, 0), operand(invocation, 1));
    if (wantsJson(invocation)) printJson({ revoked: true });
    else printLine("Revoked.");
  },
};

/** The operator's commands on tokens. */
export const tokenCommands: readonly Command[] = [mint, list, revoke];
