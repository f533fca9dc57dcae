/** Why an image was declined. Messages are fixed sentences: nothing of the image enters them. */
export type DeclineName = "ImageUndecodable" | "ImageTooManyPixels" | "ImageTooCostly" | "ImageTooSlow";

/** Thrown while one image is read; carries no bytes, no metadata and no decoder message. */
export class ImageDeclined extends Error {
  override readonly name: DeclineName;

  constructor(name: DeclineName, message: string) {
    super(message);
    this.name = name;
  }
}

export function undecodable(): ImageDeclined {
  return new ImageDeclined("ImageUndecodable", "The bytes are not an image that an accepted decoder reads.");
}

export function tooManyPixels(): ImageDeclined {
  return new ImageDeclined("ImageTooManyPixels", "The image has more pixels than this deployment accepts.");
}

export function tooCostly(): ImageDeclined {
  return new ImageDeclined("ImageTooCostly", "Decoding the image would cost more than its size allows.");
}
