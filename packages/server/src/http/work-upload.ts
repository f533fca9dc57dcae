import type { IncomingMessage } from "node:http";
import type { UploadOutcomes } from "@colophon/contract";
import type { SlotUpload } from "../registry/slot-upload.ts";
import type { UploadedImage } from "../registry/upload-images.ts";
import { type Answer, ok } from "./answer.ts";
import { ClientGone } from "./body.ts";
import type { RejectedPart } from "./read-upload.ts";

/**
 * Works an upload image by image as it is read, then has the slot take it. A request that is refused changes
 * nothing; one whose connection breaks off leaves the images that had come whole, so that the caller resumes after
 * them.
 */
export async function workUpload(
  request: IncomingMessage,
  upload: SlotUpload,
  parts: AsyncIterable<UploadedImage | RejectedPart>,
  work: (part: UploadedImage) => Promise<void>,
): Promise<Answer> {
  try {
    for await (const part of parts) {
      if ("rejection" in part) upload.rejectWith(part, part.rejection);
      else await work(part);
    }
    const body: UploadOutcomes = { outcomes: [...(await upload.accept())] };
    return request.complete ? ok(body) : { kind: "last", body };
  } catch (error) {
    if (error instanceof ClientGone) await upload.accept().catch(() => upload.drop());
    else await upload.drop();
    throw error;
  }
}
