import { readFile } from "node:fs/promises";
import {
  AuditFailure,
  type AuditState,
  LogAudit,
  type LogTrust,
  parseAuditState,
  parseVkey,
  type ReadLog,
  type VerifierKey,
  writeAuditState,
  writeVkey,
} from "@colophon/log";
import { ACCOUNT_OPTIONS, accountClient, TOKEN_DETAILS } from "../settings/account-options.ts";
import { type Command, operand, textOption } from "../command.ts";
import { EXIT, Failure } from "../failure.ts";
import { hashOperand } from "../input/hash-operand.ts";
import { logReader } from "../input/log-reader.ts";
import { LOG_KEY_OPTIONS, logKeyOption, vkeysOption } from "../settings/log-keys.ts";
import { printLine } from "../print.ts";
import { replaceFile } from "../replace-file.ts";
import { printable } from "../shown.ts";
import { ProgressBar } from "../progress/progress-bar.ts";
import { baseUrlOf } from "../settings/service-options.ts";

/** Time after which the state of an audit under way is kept again. */
const KEEP_MS = 5_000;

/** Prints the proof that a record is in the log. */
const proof: Command = {
  words: ["log", "proof"],
  operands: ["HASH|FILE"],
  summary: "Print the proof that a record is in the log, for colophon verify --log-proof",
  details: `A record that was published just now is waited for. Nothing is charged.\n${TOKEN_DETAILS}`,
  options: { url: ACCOUNT_OPTIONS["url"]! },
  run: async (invocation) => {
    const client = await accountClient(invocation);
    const hash = await hashOperand(operand(invocation, 0));
    process.stdout.write(await client.logProof(hash));
  },
};

/** Walks the log of a registry, which needs no account there. */
const audit: Command = {
  words: ["log", "audit"],
  operands: ["BASE_URL"],
  summary: "Walk the whole log of a registry and check every entry, tile and signature",
  details: [
    "With --state, an audit goes on where the last one stopped, also one that was interrupted: that shows that nothing",
    "before has changed. Without --log-key the key is taken from the log itself, and only its own word is checked.",
  ].join("\n"),
  options: {
    ...LOG_KEY_OPTIONS,
    state: { placeholder: "FILE", summary: "Where the audit keeps how far it has come" },
  },
  run: async (invocation) => {
    const read = logReader(`${baseUrlOf(operand(invocation, 0))}/log`);
    const key = (await logKeyOption(invocation)) ?? (await ownKey(read));
    const witnessKeys = await vkeysOption(invocation, "witness-key");
    const stateFile = textOption(invocation, "state");
    const walk = new LogAudit(await savedState(stateFile, key));
    const keepState = (): Promise<void> => keep(stateFile, key, walk.state);
    try {
      const { checkpoint, witnesses } = await walked(walk, read, { logKey: key, witnessKeys }, keepState);
      const { live, takenDown } = walk.counts;
      const origin = printable(checkpoint.origin);
      printLine(`${origin}: ${checkpoint.size} entries, ${live} records live, ${takenDown} taken down.`);
      const signer = printable(writeVkey(key));
      printLine(`Every entry, tile and hash is right, and the checkpoint is signed by ${signer}.`);
      for (const { key: by, at } of witnesses) printLine(`${by.name} saw it on ${at?.toISOString()}.`);
      if (witnesses.length < witnessKeys.length) {
        throw new AuditFailure("A witness has not signed the checkpoint.");
      }
    } catch (error) {
      if (!(error instanceof AuditFailure)) throw error;
      printLine(printable(error.message));
      process.exitCode = EXIT.negative;
    }
  },
};

/** The commands on logs. */
export const logCommands: readonly Command[] = [proof, audit];

/** Walks the log, shows how far that is, and has it kept every now and then and at the end. */
async function walked(
  walk: LogAudit,
  read: ReadLog,
  trust: LogTrust,
  keepState: () => Promise<void>,
): ReturnType<LogAudit["run"]> {
  using bar = new ProgressBar();
  let kept = performance.now();
  const begun = walk.size;
  const opened = await walk.run(read, trust, async (size, of) => {
    bar.show({
      phase: "Walking the log",
      share: size / of,
      count: `${size} of ${of} entries`,
      done: "Walked",
      pace: { begun: size > begun, done: size, total: of, rate: (each) => `${Math.round(each)} entries/s` },
    });
    if (performance.now() - kept < KEEP_MS) return;
    kept = performance.now();
    await keepState();
  });
  await keepState();
  return opened;
}

async function ownKey(read: ReadLog): Promise<VerifierKey> {
  const vkey = new TextDecoder().decode(await read("vkey")).trim();
  process.stderr.write(`The log's key is taken from the log itself: ${printable(vkey)}\n`);
  try {
    return parseVkey(vkey);
  } catch {
    throw new AuditFailure("The log names no key.");
  }
}

async function savedState(file: string | undefined, key: VerifierKey): Promise<AuditState | null> {
  const text = file === undefined ? null : await readFile(file, "utf8").catch(() => null);
  if (text === null) return null;
  try {
    return parseAuditState(text, writeVkey(key));
  } catch {
    throw Failure.usage("The file of --state is not that of an audit of this log.");
  }
}

async function keep(file: string | undefined, key: VerifierKey, state: AuditState): Promise<void> {
  if (file !== undefined) await replaceFile(file, writeAuditState(writeVkey(key), state));
}
