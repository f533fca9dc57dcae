import type { UploadOutcomes } from "@colophon/contract";
import type { SlotUpload } from "../../registry/slots/slot-upload.ts";
import type { UploadedImage } from "../../registry/slots/upload-images.ts";
import { type Answer, ok } from "../answers/answer.ts";
import { type Body, ClientGone } from "../body/body.ts";
import type { RejectedPart } from "../body/read-upload.ts";

/**
 * Works an upload image by image as it is read, then has the slot take it. A request that is refused changes
 * nothing; one whose connection breaks off leaves the images that had come whole, so that the caller resumes after
 * them.
 */
export async function workUpload(
  source: Body,
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
    return source.complete ? ok(body) : { kind: "last", body };
  } catch (error) {
    if (error instanceof ClientGone) await upload.accept().catch(() => upload.drop());
    else await upload.drop();
    throw error;
  }
}
