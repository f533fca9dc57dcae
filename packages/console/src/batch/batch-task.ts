import type { ManifestDraft } from "../register/manifest-draft.ts";

/** What is asked for every file of a batch. */
export type BatchTask =
  | {
      readonly kind: "register";
      readonly manifests: readonly ManifestDraft[];
      /** Whether what each file carries about itself goes along. */
      readonly takesCarried: boolean;
    }
  /** Originals are looked for. */
  | { readonly kind: "lookUp" }
  /** The same, hoping for none. */
  | { readonly kind: "check" };
