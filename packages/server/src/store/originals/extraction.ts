/** What registering an image publishes beside its record: the packet that it is compared by, without a pixel in it. */
export interface Extraction {
  readonly originalImageHash: Buffer;
  readonly imageHash: Buffer;
  /** Equal for two files that decode to the same pixels. */
  readonly pixelHash: Buffer;
  /** Sealed. */
  readonly packet: Buffer;
  readonly packetVersion: number;
  /** Retrieval keys. */
  readonly words: Int32Array;
}

/** An extraction as the columns of a row. */
export type ExtractionColumns = Omit<Extraction, "words"> & { readonly words: number[] };

/** The columns that hold an extraction. */
export function extractionColumns(extraction: Extraction): ExtractionColumns {
  const { originalImageHash, imageHash, pixelHash, packet, packetVersion, words } = extraction;
  return { originalImageHash, imageHash, pixelHash, packet, packetVersion, words: [...words] };
}

/** The extraction in a row's columns. */
export function extractionOf(row: ExtractionColumns): Extraction {
  const { originalImageHash, imageHash, pixelHash, packet, packetVersion, words } = row;
  return { originalImageHash, imageHash, pixelHash, packet, packetVersion, words: Int32Array.from(words) };
}
