import { fromBase64, toBase64 } from "@colophon/formats";
import type { ManifestDraft } from "../register/manifest-draft.ts";
import type { BatchRow } from "./batch-row.ts";
import type { BatchTask } from "./batch-task.ts";

const KEY = "colophon.batch";

/**
 * What a tab keeps of its batch when the page is loaded again: all but the pictures, which the browser gives to no page
 * twice.
 */
export interface KeptBatch {
  readonly task: BatchTask;
  /** The service's slot for it; null before there is one. */
  readonly slotId: string | null;
  readonly isDone: boolean;
  readonly rows: readonly BatchRow[];
}

type KeptManifest = Omit<ManifestDraft, "bytes"> & { readonly base64: string };

/** Keeps a batch for this tab. One that is more than a browser keeps is not kept. */
export async function keepBatch({ task, ...rest }: KeptBatch): Promise<void> {
  const manifests = task.kind === "register" ? await Promise.all(task.manifests.map(kept)) : [];
  const takesCarried = task.kind === "register" && task.takesCarried;
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...rest, kind: task.kind, manifests, takesCarried }));
  } catch {
    forgetBatch();
  }
}

/** The batch that this tab has kept; null where it has none. */
export function keptBatch(): KeptBatch | null {
  const text = sessionStorage.getItem(KEY);
  if (text === null) return null;
  const { kind, manifests, takesCarried, ...rest } = JSON.parse(text) as Omit<KeptBatch, "task"> & {
    readonly kind: BatchTask["kind"];
    readonly takesCarried: boolean;
    readonly manifests: readonly KeptManifest[];
  };
  const task = kind === "register" ? { kind, manifests: manifests.map(draft), takesCarried } : { kind };
  return { ...rest, task };
}

/** Forgets the kept batch. */
export function forgetBatch(): void {
  sessionStorage.removeItem(KEY);
}

async function kept({ bytes, ...rest }: ManifestDraft): Promise<KeptManifest> {
  return { ...rest, base64: toBase64(new Uint8Array(await bytes.arrayBuffer())) };
}

function draft({ base64, ...rest }: KeptManifest): ManifestDraft {
  return { ...rest, bytes: new Blob([Uint8Array.from(fromBase64(base64))]) };
}
