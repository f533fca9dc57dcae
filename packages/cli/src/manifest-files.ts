import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { isManifestKind } from "@colophon/formats";
import { Failure } from "./failure.ts";

/** A manifest as it is in its file. */
export type ManifestFile =
  | { readonly kind: string; readonly json: Blob }
  | { readonly kind: string; readonly jumbf: Blob };

/** What the help of a command says about `--manifest`. */
export const MANIFEST_DETAILS =
  "A manifest goes with every image. A file named .json is sent as JSON, byte for byte; any other as JUMBF or C2PA.";

/** The manifests that the values of `--manifest` name, `kind=file` each. @throws Failure (usage) */
export async function manifestFiles(values: readonly string[]): Promise<ManifestFile[]> {
  const manifests: ManifestFile[] = [];
  for (const value of values) {
    const [kind = "", ...rest] = value.split("=");
    if (!isManifestKind(kind) || rest.length === 0) throw Failure.usage("--manifest takes KIND=FILE.");
    const path = rest.join("=");
    const bytes = await readFile(path).catch(() => null);
    if (bytes === null) throw Failure.usage("The file of a --manifest cannot be read.");
    const blob = new Blob([bytes]);
    manifests.push(extname(path).toLowerCase() === ".json" ? { kind, json: blob } : { kind, jumbf: blob });
  }
  return manifests;
}
