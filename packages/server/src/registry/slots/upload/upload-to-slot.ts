import type { UploadOutcome } from "@colophon/contract";
import type { StoredManifest } from "@colophon/formats";
import type { PixelBuffer } from "../../../custody/pixel-buffer.ts";
import { ClientGone } from "../../client-gone.ts";
import type { SlotUpload } from "./slot-upload.ts";
import { rejected, type Standing, standingAfter, type UploadedPart, type WorkedPart } from "./standing.ts";

/** An image of an upload, in memory until it is erased; its manifests are those of a registration. */
export interface UploadedImage extends UploadedPart {
  readonly contentType: string | null;
  readonly image: PixelBuffer;
  readonly manifests: readonly StoredManifest[];
}

/** An image part that the slot cannot take, with the sentence that says why. */
export interface RejectedPart extends UploadedPart {
  readonly rejection: string;
}

/** The image parts of a request in their order, read as they are asked for. */
export type UploadedParts = AsyncIterable<UploadedImage | RejectedPart>;

/**
 * Runs an upload to a slot: works image by image as they are read, then has the slot take what they brought. A request
 * that is refused changes nothing; one whose connection breaks off leaves the images that had come whole, so that the
 * caller resumes after them.
 * @param work brings one image; it is erased afterwards
 * @throws Refusal slotNotFound, quotaExceeded when every image was over a grant, and what `parts` throws
 */
export async function uploadToSlot(
  upload: SlotUpload,
  parts: UploadedParts,
  work: (part: UploadedImage) => Promise<Standing>,
): Promise<readonly UploadOutcome[]> {
  const worked: WorkedPart[] = [];
  const images = new Images(upload, work);
  try {
    for await (const part of parts) {
      worked.push({ part, standing: "rejection" in part ? refused(part) : await images.work(part) });
    }
    return await upload.accept(worked);
  } catch (error) {
    if (error instanceof ClientGone) {
      await upload.accept(worked).catch(() => upload.drop());
      throw new ClientGone();
    }
    await upload.drop();
    throw error;
  }
}

const UNREADABLE = rejected("notChecked");

function isUnreadable(standing: Standing): boolean {
  return standing.kind === "rejected" && standing.reason === UNREADABLE.reason;
}

/**
 * Works the images of an upload. Bytes of which no picture could be read are not read again as long as the upload
 * brings nothing else: a request of thousands of them costs what one does.
 */
class Images {
  readonly #upload: SlotUpload;
  readonly #work: (part: UploadedImage) => Promise<Standing>;
  /** Hashes in hex. */
  readonly #unreadable = new Set<string>();

  constructor(upload: SlotUpload, work: (part: UploadedImage) => Promise<Standing>) {
    this.#upload = upload;
    this.#work = work;
  }

  /** Works one image, and erases it. */
  async work(part: UploadedImage): Promise<Standing> {
    const { image } = part;
    this.#upload.running.inHand = image;
    try {
      const hash = image.imageHash.toString("hex");
      if (this.#unreadable.has(hash)) return UNREADABLE;
      const standing = await this.#work(part);
      if (standing.kind === "brought") this.#unreadable.clear();
      if (isUnreadable(standing)) this.#unreadable.add(hash);
      return standing;
    } catch (error) {
      return standingAfter(error);
    } finally {
      image.erase();
    }
  }
}

function refused({ rejection }: RejectedPart): Standing {
  return { kind: "rejected", reason: rejection, registrationId: null };
}
