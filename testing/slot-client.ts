import type {
  AccountStats,
  CommittedSlot,
  LookupSlotResults,
  MissingHashes,
  OpenedLookupSlot,
  OpenedSlot,
  Progress,
  Slot,
  SlotEntry,
  SlotManifest,
  UploadOutcomes,
} from "@colophon/contract";
import { ApiClient, type ManifestPart, type Reply } from "./api-client.ts";

/** An image as an upload posts it, its manifests before it. */
export interface PostedImage {
  readonly bytes: Uint8Array;
  readonly manifests?: readonly ManifestPart[];
  readonly fileName?: string;
  readonly type?: string;
}

/** The routes of both kinds of slot, under one bearer token. */
export class SlotClient extends ApiClient {
  openSlot(): Promise<Reply<OpenedSlot>> {
    return this.call("POST", "/slots");
  }

  slot(slotId: string): Promise<Reply<Slot>> {
    return this.call("GET", `/slots/${slotId}`);
  }

  abandon(slotId: string): Promise<Reply<null>> {
    return this.call("DELETE", `/slots/${slotId}`);
  }

  upload(slotId: string, images: readonly PostedImage[]): Promise<Reply<UploadOutcomes>> {
    return this.call("POST", `/slots/${slotId}/uploads`, uploadForm(images));
  }

  missing(slotId: string, hashes?: readonly string[]): Promise<Reply<MissingHashes>> {
    return this.call("POST", `/slots/${slotId}/uploads/missing`, hashes && { hashes });
  }

  entries(slotId: string): Promise<Reply<SlotManifest>> {
    return this.call("GET", `/slots/${slotId}/manifest`);
  }

  replaceManifests(
    slotId: string,
    imageHash: string,
    manifests: readonly ManifestPart[],
  ): Promise<Reply<SlotEntry>> {
    const form = new FormData();
    for (const manifest of manifests) appendManifest(form, manifest);
    return this.call("PUT", `/slots/${slotId}/entries/${imageHash}/manifests`, form);
  }

  removeEntry(slotId: string, imageHash: string): Promise<Reply<null>> {
    return this.call("DELETE", `/slots/${slotId}/entries/${imageHash}`);
  }

  commit(slotId: string): Promise<Reply<CommittedSlot>> {
    return this.call("POST", `/slots/${slotId}/commit`);
  }

  progress(slotId: string): Promise<Reply<Progress>> {
    return this.call("GET", `/slots/${slotId}/progress`);
  }

  openLookupSlot(): Promise<Reply<OpenedLookupSlot>> {
    return this.call("POST", "/lookup/slots");
  }

  abandonLookup(slotId: string): Promise<Reply<null>> {
    return this.call("DELETE", `/lookup/slots/${slotId}`);
  }

  uploadQueries(slotId: string, images: readonly PostedImage[]): Promise<Reply<UploadOutcomes>> {
    return this.call("POST", `/lookup/slots/${slotId}/queries`, uploadForm(images));
  }

  missingQueries(slotId: string, hashes?: readonly string[]): Promise<Reply<MissingHashes>> {
    return this.call("POST", `/lookup/slots/${slotId}/queries/missing`, hashes && { hashes });
  }

  queries(slotId: string): Promise<Reply<SlotManifest>> {
    return this.call("GET", `/lookup/slots/${slotId}/manifest`);
  }

  removeQuery(slotId: string, imageHash: string): Promise<Reply<null>> {
    return this.call("DELETE", `/lookup/slots/${slotId}/entries/${imageHash}`);
  }

  commitLookup(slotId: string): Promise<Reply<LookupSlotResults>> {
    return this.call("POST", `/lookup/slots/${slotId}/commit`);
  }

  lookupProgress(slotId: string): Promise<Reply<Progress>> {
    return this.call("GET", `/lookup/slots/${slotId}/progress`);
  }

  results(slotId: string): Promise<Reply<LookupSlotResults>> {
    return this.call("GET", `/lookup/slots/${slotId}/results`);
  }

  async stats(): Promise<AccountStats> {
    return (await this.call<AccountStats>("GET", "/account/stats")).body;
  }
}

/** A multipart body of images, each after its manifests. */
export function uploadForm(images: readonly PostedImage[]): FormData {
  const form = new FormData();
  for (const { bytes, manifests = [], fileName = "image.jpg", type = "image/jpeg" } of images) {
    for (const manifest of manifests) appendManifest(form, manifest);
    form.append("image", new Blob([Uint8Array.from(bytes)], { type }), fileName);
  }
  return form;
}

function appendManifest(form: FormData, { kind, type, bytes }: ManifestPart): void {
  form.append(`manifest[${kind}]`, new Blob([Uint8Array.from(bytes)], { type }));
}
