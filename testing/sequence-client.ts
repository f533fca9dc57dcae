import type {
  AbandonedSequence,
  AdmittedFrames,
  CommittedSequence,
  OpenedSequence,
  SequenceGaps,
  SequenceProgress,
  SequenceResults,
} from "@colophon/contract";
import { encodeFrame } from "@colophon/formats";
import { ApiClient, type ManifestPart, type Reply } from "./api-client.ts";

/** A sequence with the ticket that opens its routes. */
export type TicketedSequence = Pick<OpenedSequence, "sequenceId" | "ticket">;

/** A part of a batch: a container, or what stands in for one. */
export interface FramePart {
  readonly bytes: Uint8Array;
  readonly type?: string;
}

/** The routes of sequences, under one bearer token. */
export class SequenceClient extends ApiClient {
  openSequence(
    options: { expectedSize?: readonly string[]; manifests?: readonly ManifestPart[] } = {},
  ): Promise<Reply<OpenedSequence>> {
    const form = new FormData();
    for (const size of options.expectedSize ?? []) form.append("expectedSize", size);
    for (const { kind, type, bytes } of options.manifests ?? []) {
      form.append(`manifest[${kind}]`, new Blob([Uint8Array.from(bytes)], { type }));
    }
    return this.call("POST", "/sequences", form);
  }

  admit(sequence: TicketedSequence, frames: readonly Uint8Array[]): Promise<Reply<AdmittedFrames>> {
    return this.admitParts(
      sequence,
      frames.map((bytes) => ({ bytes })),
    );
  }

  admitParts(sequence: TicketedSequence, parts: readonly FramePart[]): Promise<Reply<AdmittedFrames>> {
    const form = new FormData();
    for (const { bytes, type = "application/octet-stream" } of parts) {
      form.append("frame", new Blob([Uint8Array.from(bytes)], { type }), "frame.px");
    }
    return this.within(sequence, "POST", "/frames", form);
  }

  remove(sequence: TicketedSequence, frameId: number | string): Promise<Reply<null>> {
    return this.within(sequence, "DELETE", `/frames/${frameId}`);
  }

  commit(sequence: TicketedSequence): Promise<Reply<CommittedSequence>> {
    return this.within(sequence, "POST", "/commit");
  }

  gaps(sequence: TicketedSequence): Promise<Reply<SequenceGaps>> {
    return this.within(sequence, "GET", "/gaps");
  }

  progress(sequence: TicketedSequence): Promise<Reply<SequenceProgress>> {
    return this.within(sequence, "GET", "/progress");
  }

  results(sequence: TicketedSequence): Promise<Reply<SequenceResults>> {
    return this.within(sequence, "GET", "/results");
  }

  expect(sequence: TicketedSequence, body: object): Promise<Reply<null>> {
    return this.within(sequence, "PUT", "/expected-size", body);
  }

  abandon(sequence: TicketedSequence): Promise<Reply<AbandonedSequence>> {
    return this.within(sequence, "DELETE", "");
  }

  /** A call on a sequence, its ticket shown. */
  within<Body>(
    { sequenceId, ticket }: TicketedSequence,
    method: string,
    path: string,
    body?: FormData | object,
  ): Promise<Reply<Body>> {
    return this.call(method, `/sequences/${sequenceId}${path}`, body, { "x-sequence-ticket": ticket });
  }
}

/** A BODY's container. */
export function bodyFrame(
  { sequenceId }: TicketedSequence,
  frameId: number,
  image: Uint8Array | null,
  links: { readonly prev?: number; readonly next?: number } = {},
): Uint8Array {
  const { prev = frameId - 1, next = frameId + 1 } = links;
  return encodeFrame({ type: "BODY", sequenceId, frameId, prev, next, image });
}

/** An END's container. */
export function endFrame({ sequenceId }: TicketedSequence, frameId: number): Uint8Array {
  return encodeFrame({ type: "END", sequenceId, frameId, prev: frameId - 1, next: null });
}
