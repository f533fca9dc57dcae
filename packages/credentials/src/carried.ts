import { embeddedMetadata, toUtf8 } from "@colophon/formats";
import { creditLine, imageObject, statedFields } from "./credit-line.ts";

/** Kinds of the manifests that a file's own metadata become. */
const KIND = { store: "c2pa", credit: "iptc" } as const;

/** What of a file is wanted as manifests. */
export interface WantedOfFile {
  /** Whether the credit line is, beside Content Credentials too. */
  readonly iptc: boolean;
  /** Kinds that are given already, and not taken from the file. */
  readonly given: ReadonlySet<string>;
}

/** A manifest made of what a file carries about itself. */
export interface CarriedManifest {
  readonly kind: string;
  readonly form: "json" | "jumbf";
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What a JPEG, PNG or WebP file carries that can be registered with it. */
export interface Carried {
  readonly manifests: readonly CarriedManifest[];
  readonly hasStore: boolean;
  /** What its credit line states, where that is among the manifests. */
  readonly creditFields: readonly string[];
}

/**
 * The C2PA manifest store of a file as a manifest `c2pa`; without one, or where it is wanted too, its credit line as a
 * manifest `iptc`. Never throws: of any other file, nothing.
 */
export function carriedBy(file: Uint8Array, { iptc, given }: WantedOfFile): Carried {
  const metadata = embeddedMetadata(file);
  const store = given.has(KIND.store) ? null : metadata.c2paStore;
  const wantsCredit = !given.has(KIND.credit) && (iptc || metadata.c2paStore === null);
  const credit = wantsCredit ? creditLine(metadata) : null;
  const manifests: CarriedManifest[] = [];
  if (store !== null) manifests.push({ kind: KIND.store, form: "jumbf", bytes: Uint8Array.from(store) });
  if (credit !== null) {
    const bytes = Uint8Array.from(toUtf8(JSON.stringify(imageObject(credit))));
    manifests.push({ kind: KIND.credit, form: "json", bytes });
  }
  return { manifests, hasStore: store !== null, creditFields: credit === null ? [] : statedFields(credit) };
}
