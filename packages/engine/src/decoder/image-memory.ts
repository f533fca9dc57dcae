import { erase } from "./erase.ts";

/** A buffer of this size stays for the next image; a larger one is given back. Most photographs fit. */
const KEPT_BYTES = 8_388_608;

/** Memory for one image at a time, reused from image to image. */
export class ImageMemory {
  readonly #kept = Buffer.alloc(KEPT_BYTES);
  #image: Buffer = this.#kept.subarray(0, 0);

  /** Room for an image of so many bytes. */
  take(length: number): Buffer {
    this.#image = length <= KEPT_BYTES ? this.#kept.subarray(0, length) : Buffer.allocUnsafeSlow(length);
    return this.#image;
  }

  /** Zeroes the image and reads it back. @throws {Error} when a byte of it is still there */
  release(): void {
    erase(this.#image);
    const { buffer } = this.#image;
    if (buffer !== this.#kept.buffer && buffer instanceof ArrayBuffer) buffer.transfer(0);
    this.#image = this.#kept.subarray(0, 0);
  }
}
