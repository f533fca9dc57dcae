import type { Account, AccountSettings, Grant } from "@colophon/contract";
import {
  type Command,
  type Invocation,
  numberOption,
  operand,
  type OptionSpec,
  switchOption,
  textOption,
} from "../command.ts";
import { Failure } from "../failure.ts";
import { printJson, printLine, printList, printTable } from "../print.ts";
import { operatorClient, reasonOf, SERVICE_OPTIONS, wantsJson } from "../settings/service-options.ts";

const SETTINGS: Readonly<Record<string, OptionSpec>> = {
  name: { placeholder: "NAME", summary: "A name for the operator's own use" },
  registrations: { placeholder: "N", summary: "Registrations it may make, for life" },
  lookups: { placeholder: "N", summary: "Look-ups it may make, for life" },
  sequences: { summary: "Allow sequences; --no-sequences forbids them" },
  "max-request-bytes": { placeholder: "N", summary: "Longest frame batch request, in bytes" },
  "max-frames": {
    placeholder: "N",
    summary: "Frames a sequence should hold at most; advice, never enforced",
  },
};

const create: Command = {
  words: ["account", "create"],
  operands: [],
  summary: "Create an account",
  details: "Registrations and look-ups are 0 unless they are set; sequences are forbidden.",
  options: { ...SETTINGS, ...SERVICE_OPTIONS },
  run: async (invocation) => {
    const client = await operatorClient(invocation);
    show(await client.createAccount(settings(invocation)), invocation);
  },
};

const list: Command = {
  words: ["account", "list"],
  operands: [],
  summary: "List the accounts",
  options: SERVICE_OPTIONS,
  run: async (invocation) => {
    const client = await operatorClient(invocation);
    const answer = await client.accounts();
    if (wantsJson(invocation)) return printJson(answer);
    const { suspensions } = await client.suspensions();
    const suspendedAt = new Map(suspensions.map((one) => [one.accountId, one.suspendedAt]));
    printList(
      ["ACCOUNT", "NAME", "REGISTRATIONS LEFT", "LOOK-UPS LEFT", "CREATED", "SUSPENDED"],
      answer.accounts.map((account) => [
        account.accountId,
        account.name ?? "-",
        `${account.registrations.remaining} of ${account.registrations.grant}`,
        `${account.lookups.remaining} of ${account.lookups.grant}`,
        account.createdAt,
        suspendedAt.get(account.accountId) ?? "-",
      ]),
      "There is no account yet; colophon account create opens one.",
    );
  },
};

const read: Command = {
  words: ["account", "show"],
  operands: ["ACCOUNT"],
  summary: "Show one account with its allowance and use",
  options: SERVICE_OPTIONS,
  run: async (invocation) => {
    const client = await operatorClient(invocation);
    const account = await client.account(operand(invocation, 0));
    show(account, invocation);
    if (wantsJson(invocation)) return;
    const { suspendedAt } = await client.suspension(account.accountId);
    if (suspendedAt !== null) printLine(`Suspended since ${suspendedAt}.`);
  },
};

const change: Command = {
  words: ["account", "set"],
  operands: ["ACCOUNT"],
  summary: "Change an account; an allowance is set, not added to",
  options: { ...SETTINGS, ...SERVICE_OPTIONS },
  run: async (invocation) => {
    const wanted = settings(invocation);
    if (Object.keys(wanted).length === 0) throw Failure.usage("Name at least one setting to change.");
    const client = await operatorClient(invocation);
    show(await client.updateAccount(operand(invocation, 0), wanted), invocation);
  },
};

const REASON: Readonly<Record<string, OptionSpec>> = {
  reason: { placeholder: "TEXT", summary: "Why; it goes to the account's ledger of operations" },
};

const suspend = suspension("suspend", "Suspend an account: its tokens open nothing until it is resumed");
const resume = suspension("resume", "Resume a suspended account");

const takeDownAll: Command = {
  words: ["account", "takedown"],
  operands: ["ACCOUNT"],
  summary: "Take down all that an account has registered, for good",
  options: { ...REASON, ...SERVICE_OPTIONS },
  run: async (invocation) => {
    const reason = reasonOf(invocation);
    const client = await operatorClient(invocation);
    const accountId = operand(invocation, 0);
    let takenDown = 0;
    for (let more = true; more; ) {
      const answer = await client.takeDownAccount(accountId, reason);
      takenDown += answer.takenDown;
      more = answer.more;
    }
    if (wantsJson(invocation)) printJson({ takenDown });
    else printLine(`${takenDown} taken down.`);
  },
};

/** The operator's commands on accounts. */
export const accountCommands: readonly Command[] = [create, list, read, change, suspend, resume, takeDownAll];

/**
 * What each says when it is done. The service does not tell whether anything was changed, and keeps no reason where
 * nothing was.
 */
const SUSPENSIONS = {
  suspend: "Suspended; if it already was, nothing was recorded.",
  resume: "Resumed; if it was not suspended, nothing was recorded.",
};

function suspension(word: "suspend" | "resume", summary: string): Command {
  return {
    words: ["account", word],
    operands: ["ACCOUNT"],
    summary,
    options: { ...REASON, ...SERVICE_OPTIONS },
    run: async (invocation) => {
      const reason = reasonOf(invocation);
      const client = await operatorClient(invocation);
      await client[`${word}Account`](operand(invocation, 0), reason);
      if (wantsJson(invocation)) printJson({ suspended: word === "suspend" });
      else printLine(SUSPENSIONS[word]);
    },
  };
}

function settings(invocation: Invocation): AccountSettings {
  const given = {
    name: textOption(invocation, "name"),
    registrations: numberOption(invocation, "registrations"),
    lookups: numberOption(invocation, "lookups"),
    sequencesEnabled: switchOption(invocation, "sequences"),
    maxRequestBytes: numberOption(invocation, "max-request-bytes"),
    maxFramesPerSequence: numberOption(invocation, "max-frames"),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function show(account: Account, invocation: Invocation): void {
  if (wantsJson(invocation)) return printJson(account);
  printTable([
    ["Account", account.accountId],
    ["Name", account.name ?? "-"],
    ["Registrations", grant(account.registrations)],
    ["Look-ups", grant(account.lookups)],
    ["Sequences", account.sequencesEnabled ? "allowed" : "not allowed"],
    ["Longest frame batch", `${account.maxRequestBytes} bytes`],
    ["Frames per sequence", String(account.maxFramesPerSequence)],
    ["Calls", String(account.callCount)],
    ["Created", account.createdAt],
  ]);
}

function grant({ grant: granted, consumed, held, remaining }: Grant): string {
  return `${remaining} of ${granted} left, ${consumed} spent, ${held} reserved`;
}
