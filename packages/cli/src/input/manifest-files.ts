import { extname } from "node:path";
import { isManifestKind, matchesForm } from "@colophon/formats";
import { Failure } from "../failure.ts";
import { bytesOf } from "../file-faults.ts";
import { shown } from "../shown.ts";

/** A manifest as it is in its file. */
export type ManifestFile =
  | { readonly kind: string; readonly json: Blob }
  | { readonly kind: string; readonly jumbf: Blob };

/** What the help of a command says about `--manifest`. */
export const MANIFEST_DETAILS =
  "A manifest goes with every image. A file named .json is sent as JSON, byte for byte; any other as JUMBF or C2PA.";

const FORM_FAULTS = {
  json: "is not one JSON object in UTF-8, as the name of the file says",
  jumbf: "is not a JUMBF or C2PA container; a JSON manifest has a name that ends in .json",
} as const;

/**
 * The manifests that the values of `--manifest` name, `kind=file` each, looked at before anything is sent.
 *
 * @throws Failure (usage)
 */
export async function manifestFiles(values: readonly string[]): Promise<ManifestFile[]> {
  const manifests: ManifestFile[] = [];
  for (const value of values) {
    const [kind = "", ...rest] = value.split("=");
    if (rest.length === 0) {
      throw Failure.usage(`--manifest takes KIND=FILE, such as credit=credit.json, not ${shown(value)}.`);
    }
    if (!isManifestKind(kind)) {
      throw Failure.usage(
        `--manifest takes KIND=FILE, where KIND is 1 to 64 of A-Z a-z 0-9 . _ -, not ${shown(kind)}.`,
      );
    }
    const path = rest.join("=");
    const bytes = await bytesOf(path);
    const form = extname(path).toLowerCase() === ".json" ? "json" : "jumbf";
    if (!matchesForm(form, bytes)) {
      const place = form === "json" ? placeOfFault(bytes.toString("utf8")) : "";
      throw Failure.usage(`The manifest ${shown(path)} ${FORM_FAULTS[form]}${place}.`);
    }
    const blob = new Blob([bytes]);
    manifests.push(form === "json" ? { kind, json: blob } : { kind, jumbf: blob });
  }
  return manifests;
}

/** Where a text stops being JSON, as far as the parser tells. */
function placeOfFault(text: string): string {
  try {
    JSON.parse(text);
    return "";
  } catch (error) {
    const [, line, column] = /line (\d+) column (\d+)/.exec(String(error)) ?? [];
    return line === undefined ? "" : `; it goes wrong at line ${line}, column ${column}`;
  }
}
