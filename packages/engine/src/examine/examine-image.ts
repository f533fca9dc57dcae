import { decodeCost, type DecodeOptions } from "../image/coded/decode-cost.ts";
import { type Picture, readPicture } from "../image/coded/read-picture.ts";
import { cosineTerms } from "../signature/whole-signature.ts";
import { type DescribedPicture, describePicture, type Examiner, type Purpose } from "./describe-picture.ts";

/** All that an examination yields. */
export interface ExaminedImage extends Omit<Picture, "quantisation" | "luma">, DescribedPicture {}

/** What examining images needs. */
export interface ImageExaminer extends Examiner {
  readonly decode: DecodeOptions;
}

/**
 * Decodes an image in this process and derives everything from it. For benchmarks and vectors: the service has images
 * decoded in processes of their own.
 *
 * @throws {ImageDeclined} for an image that cannot or may not be decoded
 */
export async function examineImage(
  image: Uint8Array,
  purpose: Purpose,
  examiner: ImageExaminer,
): Promise<ExaminedImage> {
  decodeCost(image, examiner.decode);
  const picture = await readPicture(image, examiner.decode);
  const { quantisation: _, luma, ...identity } = picture;
  try {
    return { ...identity, ...describePicture(picture, cosineTerms(luma), purpose, examiner) };
  } finally {
    luma.data.fill(0);
  }
}
