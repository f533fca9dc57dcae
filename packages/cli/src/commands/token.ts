import { type Command, type Invocation, operand, switchOption, textOption } from "../command.ts";
import { Failure } from "../failure.ts";
import { printJson, printLine, printList } from "../print.ts";
import { operatorClient, SERVICE_OPTIONS, wantsJson } from "../settings/service-options.ts";

const mint: Command = {
  words: ["token", "mint"],
  operands: ["ACCOUNT"],
  summary: "Mint a token and print it, the only time it is shown",
  options: {
    label: { placeholder: "TEXT", summary: "A label for the operator's own use" },
    expires: { placeholder: "TIME", summary: "When it stops opening anything: 2027-01-31, or RFC 3339" },
    ...SERVICE_OPTIONS,
  },
  run: async (invocation) => {
    const label = textOption(invocation, "label");
    const expiresAt = timeOption(invocation, "expires");
    if (expiresAt !== undefined && expiresAt.getTime() <= Date.now()) {
      throw Failure.usage("--expires is past: the token would open nothing.");
    }
    const client = await operatorClient(invocation);
    const account = operand(invocation, 0);
    const minted = await client.mintToken(account, { label });
    if (expiresAt !== undefined) await client.setTokenExpiry(account, minted.tokenId, expiresAt);
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
    const { tokens } = await client.tokenExpiries(operand(invocation, 0));
    const expiries = new Map(tokens.map(({ tokenId, expiresAt }) => [tokenId, expiresAt]));
    printList(
      ["TOKEN", "LABEL", "CREATED", "LAST USED", "EXPIRES", "REVOKED"],
      answer.tokens.map((token) => [
        token.tokenId,
        token.label ?? "-",
        token.createdAt,
        token.lastUsedAt ?? "-",
        expiries.get(token.tokenId) ?? "-",
        token.revokedAt ?? "-",
      ]),
      "The account has no token yet; colophon token mint makes one.",
    );
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

const expire: Command = {
  words: ["token", "expire"],
  operands: ["ACCOUNT", "TOKEN_ID"],
  summary: "Set when a token stops opening anything",
  options: {
    at: { placeholder: "TIME", summary: "2027-01-31 (midnight UTC), or RFC 3339" },
    never: { summary: "It does not expire" },
    ...SERVICE_OPTIONS,
  },
  run: async (invocation) => {
    const at = timeOption(invocation, "at");
    const never = switchOption(invocation, "never") === true;
    if ((at === undefined) !== never) throw Failure.usage("Say --at TIME or --never.");
    const client = await operatorClient(invocation);
    await client.setTokenExpiry(operand(invocation, 0), operand(invocation, 1), at ?? null);
    if (wantsJson(invocation)) printJson({ expiresAt: at ?? null });
    else printLine(at === undefined ? "It does not expire." : `Expires ${at.toISOString()}.`);
  },
};

/** The operator's commands on tokens. */
export const tokenCommands: readonly Command[] = [mint, list, expire, revoke];

/** The moment of option `name`, `undefined` when it was not given. @throws Failure (usage) */
function timeOption(invocation: Invocation, name: string): Date | undefined {
  const text = textOption(invocation, name);
  if (text === undefined) return undefined;
  const time = new Date(text);
  const isWhole = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  if (!isWhole || Number.isNaN(time.getTime()) || !isDay(text.slice(0, "2027-01-31".length))) {
    throw Failure.usage(`--${name} takes a day, 2027-01-31, or a time of RFC 3339, 2027-01-31T18:00:00Z.`);
  }
  return time;
}

/** Whether the calendar has this day: `Date` takes 30 February for 2 March. */
function isDay(day: string): boolean {
  return new Date(day).toISOString().startsWith(day);
}
