import type { ColophonClient } from "@colophon/client";
import type { LibraryRegistration } from "@colophon/contract";
import { blake3Hex, isHash } from "@colophon/formats";
import { ACCOUNT_OPTIONS, accountClient, TOKEN_DETAILS } from "../settings/account-options.ts";
import { type Command, type Invocation, numberOption, switchOption, textOption } from "../command.ts";
import { EXIT, Failure } from "../failure.ts";
import { bytesOf } from "../file-faults.ts";
import { printJson, printList } from "../print.ts";
import { wantsJson } from "../settings/service-options.ts";
import { shown } from "../shown.ts";

const DEFAULT_LIMIT = 50;

/** Lists what is the account's own. */
export const library: Command = {
  words: ["library"],
  operands: [],
  summary: "List what is yours: registrations, newest first, or what is still open",
  details: [
    "Nothing is charged, and nothing of --file is sent but its hash. --hash is an original's, as colophon lookup prints it, or",
    `the SHA-256 of a file. The exit code is 5 when --file or --hash finds nothing.\n${TOKEN_DETAILS}`,
  ].join("\n"),
  options: {
    file: { placeholder: "FILE", summary: "Only the registration of this very file" },
    hash: { placeholder: "HASH", summary: "Only the registration of this hash" },
    limit: { placeholder: "N", summary: `List at most so many registrations (else ${DEFAULT_LIMIT})` },
    slots: { summary: "List the open slots for registrations and look-ups instead" },
    sequences: { summary: "List the open and sealed sequences instead" },
    ...ACCOUNT_OPTIONS,
  },
  run: async (invocation) => {
    const client = await accountClient(invocation);
    const [kind, ...others] = Object.keys(OPEN).filter((name) => switchOption(invocation, name));
    if (others.length > 0) throw Failure.usage("--slots and --sequences exclude each other.");
    await (OPEN[kind ?? ""] ?? listRegistrations)(client, invocation);
  },
};

type Lister = (client: ColophonClient, invocation: Invocation) => Promise<void>;

const OPEN: Readonly<Record<string, Lister>> = { slots: listSlots, sequences: listSequences };

async function listRegistrations(client: ColophonClient, invocation: Invocation): Promise<void> {
  const hash = await wantedHash(invocation);
  const limit = numberOption(invocation, "limit") ?? DEFAULT_LIMIT;
  if (limit === 0) throw Failure.usage("--limit takes a whole number of 1 or more.");
  const { registrations, more } =
    hash === undefined ? await newest(client, limit) : await byHash(client, hash);
  if (wantsJson(invocation)) printJson({ registrations });
  else {
    const none =
      hash === undefined
        ? "Nothing is registered yet; colophon register PATH registers an image."
        : "No registration of yours has that hash; colophon lookup FILE finds what a crop or a re-encode shows.";
    printList(["REGISTERED", "REGISTRATION", "ORIGINAL", "MANIFESTS", "FROM"], registrations.map(row), none);
  }
  if (more) process.stderr.write(`There are more than these ${limit}: --limit N lists N of them.\n`);
  if (hash !== undefined && registrations.length === 0) process.exitCode = EXIT.negative;
}

interface Listed {
  readonly registrations: readonly LibraryRegistration[];
  readonly more: boolean;
}

async function newest({ library: own }: ColophonClient, limit: number): Promise<Listed> {
  const registrations: LibraryRegistration[] = [];
  for await (const registration of own.all()) {
    if (registrations.length === limit) return { registrations, more: true };
    registrations.push(registration);
  }
  return { registrations, more: false };
}

async function byHash({ library: own }: ColophonClient, hash: string): Promise<Listed> {
  const { registrations } = await own.registrations({ originalImageHash: hash });
  if (registrations.length > 0) return { registrations, more: false };
  return { ...(await own.registrations({ imageHash: hash })), more: false };
}

/** @throws Failure (usage) */
async function wantedHash(invocation: Invocation): Promise<string | undefined> {
  const file = textOption(invocation, "file");
  const hash = textOption(invocation, "hash");
  if (file !== undefined && hash !== undefined) throw Failure.usage("--file and --hash exclude each other.");
  if (hash !== undefined && !isHash(hash)) {
    throw Failure.usage(`--hash takes 64 lowercase hex digits, not ${shown(hash)}.`);
  }
  if (file === undefined) return hash;
  const bytes = await bytesOf(file);
  return blake3Hex(bytes);
}

function row(registration: LibraryRegistration): string[] {
  const { registeredAt, registrationId, originalImageHash, manifests, source, sequenceId, frameId } =
    registration;
  const kinds = manifests.map(({ type }) => type).join(", ");
  const from = sequenceId === null ? source : `frame ${frameId} of ${sequenceId}`;
  return [registeredAt, registrationId ?? "-", originalImageHash, kinds || "-", from];
}

async function listSlots(client: ColophonClient, invocation: Invocation): Promise<void> {
  const [slots, lookupSlots] = await Promise.all([client.library.slots(), client.library.lookupSlots()]);
  if (wantsJson(invocation)) return printJson({ slots, lookupSlots });
  const rows = [
    ...slots.map((slot) => [
      slot.slotId,
      "registrations",
      String(slot.entryCount),
      slot.openedAt,
      slot.expiresAt,
    ]),
    ...lookupSlots.map((slot) => [
      slot.lookupSlotId,
      "look-ups",
      String(slot.entryCount),
      slot.openedAt,
      slot.expiresAt,
    ]),
  ];
  const none = "No batch is open: all that was begun has come to its end, or has expired.";
  printList(["SLOT", "FOR", "IMAGES", "OPENED", "EXPIRES"], rows, none);
}

async function listSequences(client: ColophonClient, invocation: Invocation): Promise<void> {
  const sequences = await client.library.sequences();
  if (wantsJson(invocation)) return printJson({ sequences });
  printList(
    ["SEQUENCE", "STATE", "FRAMES", "OF", "GAPS"],
    sequences.map(({ sequenceId, state, framesReceived, expectedSize, gaps }) => [
      sequenceId,
      state,
      String(framesReceived),
      String(expectedSize ?? "-"),
      String(gaps.length),
    ]),
    "No sequence is open: all that were begun are registered or abandoned.",
  );
}
