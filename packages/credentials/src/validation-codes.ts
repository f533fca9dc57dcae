import type { ReportedCode } from "./report.ts";

/** What speaks against a manifest: a validation code of C2PA, and what it means. */
export interface Finding {
  readonly code: string;
  readonly sentence: string;
}

/** Characters of the library's own words for a code that has none here. */
const MOST_WORDS = 200;

/** What the failure codes of C2PA (specification 2.4, chapter 15) mean, in words. */
const SENTENCES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "assertion.bmffHash.mismatch": "The picture is not the one that was signed.",
    "assertion.boxesHash.mismatch": "The picture is not the one that was signed.",
    "assertion.dataHash.mismatch": "The picture is not the one that was signed.",
    "assertion.hashedURI.mismatch": "A statement was changed after it was signed.",
    "assertion.missing": "A statement that was signed is not there.",
    "assertion.undeclared": "A statement was added after the signing.",
    "assertion.notRedacted": "A statement that was to be removed is still there.",
    "assertion.selfRedacted": "The manifest removes a statement of its own.",
    "assertion.cbor.invalid": "A statement cannot be read.",
    "assertion.json.invalid": "A statement cannot be read.",
    "assertion.action.malformed": "What is said to have been done to the picture cannot be read.",
    "claim.malformed": "What was signed cannot be read.",
    "claim.missing": "There is nothing that was signed.",
    "claim.multiple": "There is more than one claim.",
    "claim.hardBindings.missing": "Nothing ties it to a picture.",
    "claimSignature.missing": "It is not signed.",
    "claimSignature.mismatch": "The signature does not match: what it signed was changed.",
    "claimSignature.outsideValidity": "The signer's certificate was not valid when it signed.",
    "algorithm.unsupported": "It is signed by an algorithm that the standard does not know.",
    "signingCredential.invalid": "The signer's certificate is not one for Content Credentials.",
    "signingCredential.expired": "The signer's certificate had expired.",
    "signingCredential.ocsp.revoked": "The signer's certificate was revoked.",
    "timeStamp.mismatch": "The timestamp is of something else.",
    "timeStamp.malformed": "The timestamp cannot be read.",
    "timeStamp.outsideValidity": "The timestamp's certificate was not valid at its time.",
    "ingredient.claimSignature.missing": "A picture that it was made from is not signed.",
    "ingredient.claimSignature.mismatch":
      "A picture that it was made from has other Content Credentials than were signed.",
    "ingredient.hashedURI.mismatch":
      "A picture that it was made from has other Content Credentials than were signed.",
    "ingredient.manifest.mismatch":
      "A picture that it was made from has other Content Credentials than were signed.",
    "ingredient.manifest.missing":
      "A picture that it was made from has lost the Content Credentials that were signed.",
    "manifest.inaccessible": "Content Credentials that it names cannot be read.",
    "manifest.multipleParents": "It is made from more than one picture, and says it is one of them.",
    "manifest.unknownProvenance": "Nothing says where it comes from.",
    "manifest.update.invalid": "It changes more than an update may.",
    "general.error": "It cannot be read as the standard says.",
  }),
);

/** Each code once, in words. */
export function findingsOf(codes: readonly ReportedCode[]): Finding[] {
  const sentences = new Map(
    codes.map(({ code, explanation = "" }) => [
      code,
      SENTENCES.get(code) ?? explanation.slice(0, MOST_WORDS),
    ]),
  );
  return Array.from(sentences, ([code, sentence]) => ({ code, sentence }));
}
