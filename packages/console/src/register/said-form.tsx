import type { VNode } from "preact";
import { CreditForm } from "./credit-form.tsx";
import type { Said } from "./manifest-draft.ts";
import { ManifestFiles } from "./manifest-files.tsx";

/** Asks what is to be said about a picture, or about all of a batch. */
export function SaidForm({ said, onChange }: { said: Said; onChange: (said: Said) => void }): VNode {
  return (
    <>
      <CreditForm credit={said.credit} onChange={(credit) => onChange({ ...said, credit })} />
      <ManifestFiles drafts={said.files} onChange={(files) => onChange({ ...said, files })} />
    </>
  );
}
