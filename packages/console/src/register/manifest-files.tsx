import { isManifestKind } from "@colophon/formats";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { FileInput } from "../components/file-input.tsx";
import { byteSize } from "../wording.ts";
import { fileManifest, type ManifestDraft, suggestedKind } from "./manifest-draft.ts";

/** Manifests from files: JSON, or C2PA and other JUMBF. */
export function ManifestFiles({
  drafts,
  onChange,
}: {
  drafts: readonly ManifestDraft[];
  onChange: (drafts: readonly ManifestDraft[]) => void;
}): VNode {
  const [refused, setRefused] = useState<readonly string[]>([]);
  const add = async (files: readonly File[]): Promise<void> => {
    const read = await Promise.all(files.map((file) => fileManifest(suggestedKind(file.name), file)));
    setRefused(files.filter((_, at) => read[at] === null).map(({ name }) => name));
    onChange([...drafts, ...read.filter((draft) => draft !== null)]);
  };
  const rename = (at: number, kind: string): void =>
    onChange(drafts.map((draft, place) => (place === at ? { ...draft, kind } : draft)));
  return (
    <fieldset>
      <legend>Manifests from files</legend>
      <p class="hint">JSON, or C2PA and other JUMBF containers. They are kept and signed byte for byte.</p>
      <ul class="rows">
        {drafts.map((draft, at) => (
          <li key={at}>
            <span>
              {draft.source} <span class="quiet">{byteSize(draft.bytes.size)}</span>
            </span>
            <Kind draft={draft} at={at} onChange={(kind) => rename(at, kind)} />
            <button
              type="button"
              aria-label={`Remove ${draft.source}`}
              onClick={() => onChange(drafts.filter((_, place) => place !== at))}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      <FileInput
        label="Add manifest files"
        accept=".json,.jumbf,.c2pa,application/json"
        multiple
        onFiles={(files) => void add(files)}
      />
      {refused.length > 0 && (
        <p class="warning" role="alert">
          Neither a JSON object nor JUMBF: {refused.join(", ")}
        </p>
      )}
    </fieldset>
  );
}

function Kind({
  draft: { kind },
  at,
  onChange,
}: {
  draft: ManifestDraft;
  at: number;
  onChange: (kind: string) => void;
}): VNode {
  const valid = isManifestKind(kind);
  return (
    <span class="kind">
      <label for={`kind-${at}`}>Kind</label>
      <input
        id={`kind-${at}`}
        type="text"
        value={kind}
        aria-invalid={!valid}
        aria-describedby={valid ? undefined : `kind-${at}-fault`}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {!valid && (
        <span id={`kind-${at}-fault`} class="fault">
          1 to 64 of A-Z, a-z, 0-9, dot, dash, underscore
        </span>
      )}
    </span>
  );
}
