import type { ManifestInput } from "@colophon/client";
import type { CarriedManifest } from "@colophon/credentials";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { byteSize } from "../wording.ts";

/** Something that a picture carries about itself and that can be registered with it. */
export interface CarriedItem {
  readonly words: string;
  readonly manifest: CarriedManifest;
  /** Whether it goes along. */
  readonly isTaken: boolean;
}

const CREDIT_WORDS: Readonly<Record<string, string>> = {
  creator: "creator",
  creditText: "credit",
  copyrightNotice: "copyright",
  license: "licence",
  acquireLicensePage: "where to license it",
};

/** What the chosen picture carries: null while it is read, as without a picture, and `unread` where it could not be. */
export type CarriedState = readonly CarriedItem[] | "unread" | null;

/**
 * What the chosen picture carries about itself, with the reader's choice. Unless the reader says otherwise, its Content
 * Credentials go along, and without them its credit line.
 */
export function useCarried(picture: File | null): [CarriedState, (items: readonly CarriedItem[]) => void] {
  const [carried, setCarried] = useState<CarriedState>(null);
  useEffect(() => {
    let isCurrent = true;
    const settle = (state: CarriedState): void => {
      if (isCurrent) setCarried(state);
    };
    setCarried(null);
    if (picture !== null) void carriedItems(picture).then(settle, () => settle("unread"));
    return () => {
      isCurrent = false;
    };
  }, [picture]);
  return [carried, setCarried];
}

/** The manifests that go along, but for kinds that are given otherwise. */
export function takenManifests(carried: CarriedState, given: readonly ManifestInput[]): ManifestInput[] {
  if (carried === null || carried === "unread") return [];
  return carried
    .filter(({ isTaken, manifest }) => isTaken && given.every(({ kind }) => kind !== manifest.kind))
    .map(({ manifest }) => carriedInput(manifest));
}

/**
 * Says what goes along with a picture, and lets the reader leave it out. Nothing for a picture that carries nothing.
 */
export function CarriedForm({
  carried,
  onChange,
}: {
  carried: CarriedState;
  onChange: (items: readonly CarriedItem[]) => void;
}): VNode | null {
  if (carried === null || carried.length === 0) return null;
  if (carried === "unread") {
    return (
      <p class="warning" role="alert">
        What the file says about itself could not be read, and does not go along. Load this page again to try
        once more.
      </p>
    );
  }
  const take = (at: number, isTaken: boolean): void =>
    onChange(carried.map((item, place) => (place === at ? { ...item, isTaken } : item)));
  return (
    <fieldset>
      <legend>What the file says about itself</legend>
      <p class="hint">
        What is ticked is registered and published along with the picture; of the file's other data nothing
        is.
      </p>
      {carried.map(({ words, isTaken, manifest }, at) => (
        <label key={manifest.kind} class="choice">
          <input
            type="checkbox"
            checked={isTaken}
            onChange={({ currentTarget }) => take(at, currentTarget.checked)}
          />
          {words}
        </label>
      ))}
    </fieldset>
  );
}

/** Asks whether each file of a batch takes along what it says about itself. */
export function CarriedSwitch({
  isOn,
  onChange,
}: {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}): VNode {
  return (
    <fieldset>
      <legend>What the files say about themselves</legend>
      <label class="choice">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        Register and publish along the Content Credentials (C2PA) of each file, and of one without them its
        credit line
      </label>
    </fieldset>
  );
}

/** What a file of a batch takes along by itself: its Content Credentials, else its credit line. */
export async function carriedManifests(
  file: Blob,
  given: readonly ManifestInput[],
): Promise<ManifestInput[]> {
  const { carriedBy } = await import("./read-carried.ts");
  const wanted = { iptc: false, given: new Set(given.map(({ kind }) => kind)) };
  return carriedBy(await file.bytes(), wanted).manifests.map(carriedInput);
}

/** Reading metadata is loaded when there is a file to read. */
async function carriedItems(picture: Blob): Promise<readonly CarriedItem[]> {
  const { carriedBy } = await import("./read-carried.ts");
  const { manifests, hasStore, creditFields } = carriedBy(await picture.bytes(), {
    iptc: true,
    given: new Set(),
  });
  return manifests.map((manifest) => {
    const isStore = manifest.form === "jumbf";
    const words = isStore
      ? `Its Content Credentials (C2PA), ${byteSize(manifest.bytes.length)}`
      : `Its credit line: ${creditFields.map((field) => CREDIT_WORDS[field] ?? field).join(", ")}`;
    return { words, manifest, isTaken: isStore || !hasStore };
  });
}

function carriedInput({ kind, form, bytes }: CarriedManifest): ManifestInput {
  return form === "json" ? { kind, json: new Blob([bytes]) } : { kind, jumbf: new Blob([bytes]) };
}
