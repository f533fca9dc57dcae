import type { BatchFile } from "@colophon/client";
import { type Carried, carriedBy, type CarriedManifest } from "@colophon/credentials";
import { type Invocation, type OptionSpec, switchOption, textOption } from "../command.ts";
import { Failure } from "../failure.ts";
import type { ManifestFile } from "../input/manifest-files.ts";
import { counted } from "../print.ts";
import { shown } from "../shown.ts";

/** What a command does with what files carry about themselves. */
export interface WantedCredentials {
  readonly credentials: "auto" | "none";
  /** Whether the credit line goes along beside Content Credentials too. */
  readonly iptc: boolean;
}

export const CREDENTIALS_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  credentials: {
    placeholder: "auto|none",
    summary: "Whether what a file carries about itself goes along as a manifest; auto unless told",
  },
  iptc: { summary: "Take a credit line along also where a file has Content Credentials" },
};

/** What the help of a command says about these options. */
export const CREDENTIALS_DETAILS: string = [
  "A file's Content Credentials (C2PA) go along as the manifest c2pa; without them its credit line (XMP, else IPTC-IIM) as the",
  "manifest iptc: creator, creditText, copyrightNotice, license, acquireLicensePage, and nothing else of what the file says.",
].join("\n");

/** @throws Failure (usage) */
export function wantedCredentials(invocation: Invocation): WantedCredentials {
  const credentials = textOption(invocation, "credentials") ?? "auto";
  if (credentials !== "auto" && credentials !== "none") {
    throw Failure.usage(`--credentials takes auto or none, not ${shown(credentials)}.`);
  }
  const iptc = switchOption(invocation, "iptc") === true;
  if (iptc && credentials === "none") {
    throw Failure.usage("--iptc and --credentials none exclude each other.");
  }
  return { credentials, iptc };
}

/**
 * The files with the manifests given, and those that they carry themselves, which is said on standard error before
 * anything is sent. A kind that was given is not taken from a file.
 */
export async function withCredentials(
  files: readonly BatchFile[],
  manifests: readonly ManifestFile[],
  { credentials, iptc }: WantedCredentials,
): Promise<BatchFile[]> {
  if (credentials === "none") return files.map((file) => ({ ...file, manifests }));
  const wanted = { iptc, given: new Set(manifests.map(({ kind }) => kind)) };
  const read = async (image: Blob): Promise<Carried> =>
    carriedBy(new Uint8Array(await image.arrayBuffer()), wanted);
  const tally = { stores: 0, credits: 0, fields: new Set<string>() };
  const all: BatchFile[] = [];
  for (const file of files) {
    const carried = await read(file.image);
    if (carried.hasStore) tally.stores += 1;
    if (carried.creditFields.length > 0) tally.credits += 1;
    for (const field of carried.creditFields) tally.fields.add(field);
    // A batch's stores are not all kept meanwhile: each file is read again when its turn comes.
    const own = async (): Promise<ManifestFile[]> => (await read(file.image)).manifests.map(manifestFile);
    const carries = carried.manifests.length > 0;
    all.push({ ...file, manifests: carries ? async () => [...manifests, ...(await own())] : manifests });
  }
  announce(tally);
  return all;
}

function manifestFile({ kind, form, bytes }: CarriedManifest): ManifestFile {
  return form === "json" ? { kind, json: new Blob([bytes]) } : { kind, jumbf: new Blob([bytes]) };
}

function announce({
  stores,
  credits,
  fields,
}: {
  stores: number;
  credits: number;
  fields: Set<string>;
}): void {
  const parts = [
    ...(stores === 0 ? [] : [`the Content Credentials of ${counted(stores, "file")}`]),
    ...(credits === 0 ? [] : [`the credit line of ${counted(credits, "file")} (${[...fields].join(", ")})`]),
  ];
  if (parts.length === 0) return;
  process.stderr.write(
    `Registered and published along: ${parts.join("; ")}. --credentials none leaves that out.\n`,
  );
}
