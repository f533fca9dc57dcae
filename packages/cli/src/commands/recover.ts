import {
  type Candidate,
  fetchReceipt,
  fetchStore,
  findByContent,
  type Resolver,
  ResolverError,
  resolverAt,
} from "@colophon/credentials";
import { type LogCheck, parseReceipt, verifyReceipt } from "@colophon/log";
import { ACCOUNT_OPTIONS, accountProfile, TOKEN_DETAILS } from "../settings/account-options.ts";
import { type Command, type Invocation, operand, textOption } from "../command.ts";
import { judge, NOT_JUDGED } from "../credentials/judge.ts";
import { judgementJson, printJudgement, TRUST_OPTIONS, trustLists } from "../credentials/show-judgement.ts";
import { EXIT, Failure } from "../failure.ts";
import { imageFiles } from "../input/image-files.ts";
import { LOG_KEY_OPTIONS, logKeyOption, vkeysOption } from "../settings/log-keys.ts";
import { printJson, printLine, printTable } from "../print.ts";
import { replaceFile } from "../replace-file.ts";
import { printable, shown } from "../shown.ts";
import { wantsJson } from "../settings/service-options.ts";

/** Finds the Content Credentials that a picture has lost, judges them and writes them beside it. */
export const recover: Command = {
  words: ["recover"],
  operands: ["FILE"],
  summary: "Find the Content Credentials that a picture has lost",
  details: [
    "Asks the service, or any resolver of C2PA soft bindings, for the manifest stores of the picture, validates the first one here, without",
    "further connections, and writes it to FILE.c2pa. The exit code is 0 when one was found that is not broken. The picture is sent to the",
    "resolver. No token is shown to a resolver named with --resolver. With --log-key, the log's receipt of the store must hold too: that it",
    "was registered there, and since when.",
    TOKEN_DETAILS,
  ].join("\n"),
  options: {
    resolver: {
      placeholder: "URL",
      summary: "Another resolver: its origin, or the base of its API (.../v1)",
    },
    ...TRUST_OPTIONS,
    ...LOG_KEY_OPTIONS,
    ...ACCOUNT_OPTIONS,
  },
  run: async (invocation) => {
    const path = operand(invocation, 0);
    const [file, ...others] = await imageFiles([path]);
    if (file === undefined || others.length > 0) throw Failure.usage(`${shown(path)} is not one file.`);
    const lists = await trustLists(invocation);
    const resolver = await resolverOf(invocation);
    const candidates = await findByContent(resolver, file.image);
    const [first, ...further] = candidates;
    if (first === undefined) {
      if (wantsJson(invocation)) printJson({ candidates: [] });
      else printLine("No Content Credentials are known of this picture.");
      process.exitCode = EXIT.negative;
      return;
    }
    const store = await fetchStore(resolver, first);
    const judgement = await judge({ store, file: null, lists });
    const inLog = await loggedBy(invocation, resolver, first, store);
    const written = `${file.name}.c2pa`;
    await replaceFile(written, store);
    if (wantsJson(invocation)) {
      printJson({ candidates, written, judgement: judgement && judgementJson(judgement), inLog });
    } else {
      if (judgement === null) {
        printLine(`What was found ${NOT_JUDGED}.`);
      } else printJudgement(judgement);
      if (inLog !== null) printLogged(inLog);
      for (const { address } of further) printLine(printable(`Also found: ${address}`));
      printLine(`Written to ${printable(written)}.`);
    }
    if (judgement === null || judgement.verdict === "broken" || inLog?.publishedAt === null) {
      process.exitCode = EXIT.negative;
    }
  },
};

/** What a receipt shows of a store: since when it is in the log, null unless every check passed. */
interface Logged {
  readonly publishedAt: string | null;
  readonly checks: readonly LogCheck[];
}

/** Checks the receipt of a store; null without a key of the log to check it by. */
async function loggedBy(
  invocation: Invocation,
  resolver: Resolver,
  candidate: Candidate,
  store: Uint8Array,
): Promise<Logged | null> {
  const logKey = await logKeyOption(invocation);
  if (logKey === undefined) return null;
  const witnessKeys = await vkeysOption(invocation, "witness-key");
  try {
    const said = await fetchReceipt(resolver, candidate);
    if (said === null) return notLogged("absent", "The resolver has no receipt of a log for this store.");
    const receipt = parseReceipt(said);
    const checks = verifyReceipt(receipt, store, { logKey, witnessKeys });
    const isLogged = checks.every(({ result }) => result === "passed");
    return { publishedAt: isLogged ? receipt.statement.signedAt.toISOString() : null, checks };
  } catch (error) {
    if (error instanceof ResolverError) return notLogged("absent", `No receipt came: ${error.message}`);
    if (!(error instanceof SyntaxError)) throw error;
    return notLogged("failed", "The receipt cannot be read.");
  }
}

function notLogged(result: LogCheck["result"], sentence: string): Logged {
  return { publishedAt: null, checks: [{ name: "logProof", index: null, result, sentence }] };
}

function printLogged({ publishedAt, checks }: Logged): void {
  printTable(checks.map(({ name, result, sentence }) => [result, name, sentence]));
  printLine(
    publishedAt === null ? "Its receipt of the log does not hold." : `In the log since ${publishedAt}.`,
  );
}

async function resolverOf(invocation: Invocation): Promise<Resolver> {
  const named = textOption(invocation, "resolver");
  if (named !== undefined) {
    return resolverAt(named).catch((error: unknown) => {
      if (!(error instanceof SyntaxError)) throw error;
      throw Failure.usage(`--resolver takes an http or https URL, not ${shown(named)}.`);
    });
  }
  const { baseUrl, token } = await accountProfile(invocation);
  return { api: `${baseUrl}/c2pa/v1`, token };
}
