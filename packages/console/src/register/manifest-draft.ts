import type { ManifestInput } from "@colophon/client";
import { isJsonObject, isManifestKind, opensWithSuperbox } from "@colophon/formats";

/** A manifest that the reader has put together and not yet sent. */
export interface ManifestDraft {
  readonly kind: string;
  /** Where it came from: a file's name, or what the form made. */
  readonly source: string;
  readonly form: "json" | "jumbf";
  readonly bytes: Blob;
}

/** What the form asks for, in the order of its fields. */
export const CREDIT_FIELDS = ["creator", "credit", "licence", "source"] as const;

/** The form's fields; an empty one is left out of the manifest. */
export type Credit = Readonly<Record<(typeof CREDIT_FIELDS)[number], string>>;

/** What is to be said about a picture: the form as it is filled in, and manifests from files. */
export interface Said {
  readonly credit: Credit;
  readonly files: readonly ManifestDraft[];
}

export const NOTHING_SAID: Said = {
  credit: { creator: "", credit: "", licence: "", source: "" },
  files: [],
};

/** The kind of the manifest that the form makes. */
const CREDIT_KIND = "credit";

/** The manifests that come of it, that of the form first. */
export function manifestsOf({ credit, files }: Said): readonly ManifestDraft[] {
  const written = creditManifest(credit);
  return written === null ? files : [written, ...files];
}

/** Whether every manifest is of a kind that the service takes. */
export function canBeSent({ files }: Said): boolean {
  return files.every(({ kind }) => isManifestKind(kind));
}

/** The manifest of a filled form, null when nothing was filled in. */
function creditManifest(credit: Credit): ManifestDraft | null {
  const filled = CREDIT_FIELDS.map((name) => [name, credit[name].trim()] as const).filter(
    ([, text]) => text !== "",
  );
  if (filled.length === 0) return null;
  const text = JSON.stringify(Object.fromEntries(filled), null, 2);
  return { kind: CREDIT_KIND, source: "written here", form: "json", bytes: new Blob([text]) };
}

/** The manifest in a file, null when it is neither a JSON object nor JUMBF. */
export async function fileManifest(kind: string, file: File): Promise<ManifestDraft | null> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (opensWithSuperbox(bytes)) return { kind, source: file.name, form: "jumbf", bytes: file };
  return isJsonObject(bytes) ? { kind, source: file.name, form: "json", bytes: file } : null;
}

/** The kind that a file's name suggests: its name without its ending, in the characters a kind may have. */
export function suggestedKind(fileName: string): string {
  const kind = fileName.replace(/\.[^.]*$/, "").replaceAll(/[^A-Za-z0-9._-]+/g, "-");
  return kind.slice(0, 64);
}

/** A draft as the client takes it. */
export function manifestInput({ kind, form, bytes }: ManifestDraft): ManifestInput {
  return form === "json" ? { kind, json: bytes } : { kind, jumbf: bytes };
}
