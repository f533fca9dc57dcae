import { discard } from "../image/discard.ts";
import { COMPARISON_SIDE } from "../image/luma.ts";
import { type DecoderMessage, LENGTH_BYTES } from "./messages.ts";

const MOST_TEXT = 4096;
const MOST_RASTER = COMPARISON_SIDE ** 2;

/**
 * Joins a decoder's messages from the chunks in which they come. Every chunk is zeroed and given back once it is read:
 * of a raster the only copy is the one handed on.
 */
export class MessageReader {
  readonly #receive: (message: DecoderMessage, raster: Uint8Array) => void;
  #lengths = Buffer.alloc(2 * LENGTH_BYTES);
  #text: Buffer | null = null;
  #raster = new Uint8Array(0);
  /** Bytes of the message read so far. */
  #read = 0;

  /** @param receive takes each message with its raster, which is the receiver's from then on */
  constructor(receive: (message: DecoderMessage, raster: Uint8Array) => void) {
    this.#receive = receive;
  }

  /** @throws {Error} for what is no message; nothing more is to be read then */
  take(chunk: Buffer): void {
    try {
      for (let at = 0; at < chunk.length; ) at += this.#fill(chunk.subarray(at));
    } finally {
      discard(chunk);
    }
  }

  /** Zeroes what has come of a raster. */
  discard(): void {
    discard(this.#raster);
  }

  /** Puts the next bytes where they belong; returns how many they are. */
  #fill(bytes: Buffer): number {
    const text = this.#text;
    const [target, before] =
      text === null
        ? [this.#lengths, 0]
        : this.#read < this.#lengths.length + text.length
          ? [text, this.#lengths.length]
          : [this.#raster, this.#lengths.length + text.length];
    const start = this.#read - before;
    const taken = Math.min(bytes.length, target.length - start);
    target.set(bytes.subarray(0, taken), start);
    this.#read += taken;
    if (text === null && this.#read === this.#lengths.length) this.#begin();
    this.#finish();
    return taken;
  }

  #begin(): void {
    const [text, raster] = [this.#lengths.readUInt32LE(0), this.#lengths.readUInt32LE(LENGTH_BYTES)];
    if (text > MOST_TEXT || raster > MOST_RASTER) {
      throw new Error("A decoder process sent what is no message.");
    }
    this.#text = Buffer.alloc(text);
    this.#raster = new Uint8Array(raster);
  }

  #finish(): void {
    const text = this.#text;
    if (text === null || this.#read < this.#lengths.length + text.length + this.#raster.length) return;
    const raster = this.#raster;
    this.#text = null;
    this.#raster = new Uint8Array(0);
    this.#read = 0;
    this.#receive(JSON.parse(text.toString()) as DecoderMessage, raster);
  }
}
