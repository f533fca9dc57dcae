import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { CredentialsJudgement, Ingredient, Thumbnail, TrustList } from "@colophon/credentials";
import { type Invocation, type OptionSpec, textsOption } from "../command.ts";
import { Failure } from "../failure.ts";
import { printLine, printTable } from "../print.ts";
import { shown } from "../shown.ts";

export const TRUST_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  "trust-anchors": {
    placeholder: "FILE.pem",
    repeated: true,
    summary:
      "Certificates that may vouch for who signed Content Credentials or stamped their time; repeatable",
  },
};

const VERDICTS: Readonly<Record<CredentialsJudgement["verdict"], string>> = {
  trusted: "The Content Credentials hold, and a list that you trust vouches for who signed them.",
  unknownSigner:
    "The Content Credentials hold, but no list that you trust vouches for who signed them: name one with --trust-anchors.",
  broken: "The Content Credentials do not hold.",
};

/** The lists of `--trust-anchors`, by the names of their files. @throws Failure (usage) */
export function trustLists(invocation: Invocation): Promise<TrustList[]> {
  return Promise.all(
    textsOption(invocation, "trust-anchors").map(async (path) => {
      const pem = await readFile(path, "utf8").catch(() => "");
      if (!pem.includes("-----BEGIN CERTIFICATE-----")) {
        throw Failure.usage(`${shown(path)} holds no certificate in PEM.`);
      }
      return { name: basename(path), pem };
    }),
  );
}

function list(texts: readonly string[]): string {
  return texts.join("; ") || "-";
}

/** Prints what Content Credentials say and whether they hold. */
export function printJudgement(judgement: CredentialsJudgement): void {
  const { label, generator, title, signer, signedAt, trustedBy, findings } = judgement;
  const { actions, ingredients, thumbnail } = judgement;
  printTable([
    ["Content Credentials", label],
    ["Title", title ?? "-"],
    ["Made with", generator || "-"],
    ["Signed by", signer ?? "-"],
    ["Signed at", signedAt ?? "no time that a list vouches for"],
    ["Actions", list(actions.map(({ sentence }) => sentence))],
    ["Made from", list(ingredients.map(ingredientInWords))],
    ["Thumbnail", thumbnail === null ? "-" : `${thumbnail.type}, ${thumbnail.bytes.length} bytes`],
    ["Trusted by", list(trustedBy)],
    ["Picture", judgement.isFileChecked ? "checked against the file" : "not checked against the file"],
    ...[...findings, ...ingredients.flatMap((one) => one.findings)].map(({ code, sentence }) => [
      code,
      sentence,
    ]),
  ]);
  printLine(VERDICTS[judgement.verdict]);
}

/** A judgement as `--json` prints it: of thumbnails what they are, not their bytes. */
export function judgementJson({ thumbnail, ingredients, ...said }: CredentialsJudgement): object {
  return {
    ...said,
    ingredients: ingredients.map((one) => ({ ...one, thumbnail: thumbnailJson(one.thumbnail) })),
    thumbnail: thumbnailJson(thumbnail),
  };
}

function thumbnailJson(thumbnail: Thumbnail | null): object | null {
  return thumbnail && { type: thumbnail.type, bytes: thumbnail.bytes.length };
}

function ingredientInWords({ title, hasCredentials }: Ingredient): string {
  return hasCredentials ? `${title} (with Content Credentials of its own)` : title;
}
