import {
  blake3Hex,
  fromPem,
  opensWithC2paStore,
  type PublishedRecord,
  readCertificate,
  type RecordCheck,
  verdictOf,
  verifyRecord,
} from "@colophon/formats";
import type { CredentialsJudgement } from "@colophon/credentials";
import { type LogCheck, verifyLogProof } from "@colophon/log";
import { ACCOUNT_OPTIONS, accountClient } from "../settings/account-options.ts";
import { type Command, type Invocation, operand, textOption } from "../command.ts";
import { judge, NOT_JUDGED } from "../credentials/judge.ts";
import { judgementJson, printJudgement, TRUST_OPTIONS, trustLists } from "../credentials/show-judgement.ts";
import { EXIT, Failure } from "../failure.ts";
import { bytesOf } from "../file-faults.ts";
import { recordIn } from "../input/record-file.ts";
import { LOG_KEY_OPTIONS, logKeyOption, vkeysOption } from "../settings/log-keys.ts";
import { printJson, printLine, printTable } from "../print.ts";
import { shown } from "../shown.ts";
import { wantsJson } from "../settings/service-options.ts";

const VERDICTS = {
  verified: "Verified.",
  imageOnly:
    "The image is verified, its manifests are not: nothing signs which belong to it, so anybody may have changed them or taken them away.",
  unanchored: "All holds together, but nothing says whose it is: name the root you trust with --trust-root.",
  failed: "Not verified.",
  notPublished: "There is no published record to verify.",
} as const;

const TAKEN_DOWN = "The original was registered and has been taken down.";
const OTHER_ROOT =
  "The record is consistent but does not lead to the root given: another registry signed it, or somebody made it up.";

/** Checks a record, or the record of an original, and says of each check how it came out. */
export const verify: Command = {
  words: ["verify"],
  operands: ["FILE|RECORD.json|STORE.c2pa"],
  summary: "Verify a record: signatures, certificates, hashes; or Content Credentials",
  details: [
    "A record that colophon record printed is verified here, without a service. Of an original file, the record is",
    "fetched first. The exit code is 0 only when everything holds and leads to the root given. A record from before",
    "certificates named their record is verified as far as it goes, and says so. With --log-key, its proof of the log must",
    "hold as well: the one of --log-proof, or of an original file the one that the service has. Content Credentials, in a file of their",
    "own or among the manifests of a record, are validated by themselves: they answer for who signed them, the record for this registry.",
  ].join("\n"),
  options: {
    "trust-root": { placeholder: "ROOT.pem", summary: "The root certificate you trust, from the operator" },
    original: { placeholder: "FILE", summary: "The original that the record is about" },
    ...LOG_KEY_OPTIONS,
    ...TRUST_OPTIONS,
    "log-proof": { placeholder: "FILE", summary: "The proof that the record is in the log" },
    ...ACCOUNT_OPTIONS,
  },
  run: async (invocation) => {
    // Once: what is no file, a pipe, cannot be read again.
    const bytes = await bytesOf(operand(invocation, 0));
    if (opensWithC2paStore(bytes)) return verifyStore(invocation, bytes);
    const trustRoot = await rootOption(invocation);
    const judged = await subject(invocation, bytes);
    const { record, originalBytes } = judged;
    const checks = verifyRecord(record, {
      at: new Date(),
      ...(trustRoot === undefined ? {} : { trustRoot }),
      ...(originalBytes === undefined ? {} : { originalBytes }),
    });
    const inLog = await logChecks(invocation, record);
    const isLogged = inLog.every(({ result }) => result === "passed");
    const verdict = verdictOf(checks);
    const credentials = await judgeManifests(invocation, record, originalBytes);
    if (wantsJson(invocation)) {
      printJson({ verdict, checks: [...checks, ...inLog], credentials: credentials.map(judgementJson) });
    } else {
      printTable([...checks, ...inLog].map(row));
      printLine(
        isLogged ? conclusion(operand(invocation, 0), judged, checks) : "Its proof of the log does not hold.",
      );
      for (const judgement of credentials) printJudgement(judgement);
    }
    if (verdict !== "verified" || !isLogged) process.exitCode = EXIT.negative;
  },
};

/** What the checks come to, and where something is left to do, what. */
function conclusion(path: string, { record, isAnswer }: Subject, checks: readonly RecordCheck[]): string {
  const verdict = verdictOf(checks);
  const { outcome } = record;
  const failed = checks.filter(({ result }) => result === "failed");
  if (failed.length > 0 && failed.every(({ name }) => name === "trustRoot")) return OTHER_ROOT;
  if (outcome === "takenDown") return `${VERDICTS[verdict]} ${TAKEN_DOWN}`;
  if (outcome !== "noRecordAnswered" || !isAnswer) return VERDICTS[verdict];
  return `${VERDICTS[verdict]} This very file is not registered; colophon lookup ${shown(path)} finds the original that it shows.`;
}

/** Validates Content Credentials that are a file of their own. */
async function verifyStore(invocation: Invocation, store: Uint8Array): Promise<void> {
  const original = await optionalFile(invocation, "original");
  const judgement = await judge({ store, file: original ?? null, lists: await trustLists(invocation) });
  if (judgement === null) {
    throw Failure.usage(`${shown(operand(invocation, 0))} ${NOT_JUDGED}.`);
  }
  if (wantsJson(invocation)) printJson(judgementJson(judgement));
  else printJudgement(judgement);
  if (judgement.verdict !== "trusted") process.exitCode = EXIT.negative;
}

/** What is to be said of a record's manifests that are C2PA stores; those that cannot be read are left out. */
async function judgeManifests(
  invocation: Invocation,
  { manifests }: PublishedRecord,
  original: Uint8Array | undefined,
): Promise<readonly CredentialsJudgement[]> {
  const lists = await trustLists(invocation);
  const judgements: CredentialsJudgement[] = [];
  for (const { form, payload } of manifests ?? []) {
    if (form !== "jumbf" || !opensWithC2paStore(payload)) continue;
    const judgement = await judge({ store: payload, file: original ?? null, lists });
    if (judgement !== null) judgements.push(judgement);
  }
  return judgements;
}

interface Subject {
  readonly record: PublishedRecord;
  /** What the service answered of a file's hash, and no file that holds a record. */
  readonly isAnswer: boolean;
  readonly originalBytes?: Uint8Array | undefined;
}

/** @param bytes of the file that the command names: a record, or an original whose record the service has */
async function subject(invocation: Invocation, bytes: Buffer): Promise<Subject> {
  const path = operand(invocation, 0);
  const original = await optionalFile(invocation, "original");
  const record = recordIn(bytes, path);
  if (record !== null) return { record, isAnswer: false, originalBytes: original };
  if (original !== undefined) {
    throw Failure.usage(`--original goes with a record, and ${shown(path)} is none.`);
  }
  const client = await accountClient(invocation);
  return { record: await client.record(blake3Hex(bytes)), isAnswer: true, originalBytes: bytes };
}

/** The PEM text of the root to go by. @throws Failure (usage) for a file that holds anything else */
async function rootOption(invocation: Invocation): Promise<string | undefined> {
  const pem = (await optionalFile(invocation, "trust-root"))?.toString("utf8");
  if (pem === undefined) return undefined;
  try {
    readCertificate(fromPem(pem));
    return pem;
  } catch {
    const path = shown(textOption(invocation, "trust-root") ?? "");
    throw Failure.usage(
      `${path} is not a root certificate: that is one certificate in PEM with an Ed25519 key, as the operator publishes it.`,
    );
  }
}

/** The checks of the record's proof of the log; none without a key to check it by. @throws Failure (usage) */
async function logChecks(invocation: Invocation, record: PublishedRecord): Promise<LogCheck[]> {
  const logKey = await logKeyOption(invocation);
  const given = await optionalFile(invocation, "log-proof");
  if (logKey === undefined) {
    if (given !== undefined) {
      throw Failure.usage("--log-proof needs --log-key: a proof shows nothing by itself.");
    }
    return [];
  }
  const witnessKeys = await vkeysOption(invocation, "witness-key");
  const proof =
    given?.toString("utf8") ?? (await (await accountClient(invocation)).logProof(record.originalImageHash));
  return verifyLogProof(record, proof, { logKey, witnessKeys });
}

async function optionalFile(invocation: Invocation, option: string): Promise<Buffer | undefined> {
  const path = textOption(invocation, option);
  return path === undefined ? undefined : bytesOf(path);
}

function row({ name, index, result, sentence }: RecordCheck | LogCheck): string[] {
  return [result, index === null ? name : `${name} ${index + 1}`, sentence];
}
