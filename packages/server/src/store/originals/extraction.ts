/** What registering an image publishes beside its record: the packet that it is compared by, without a pixel in it. */
export interface Extraction {
  readonly originalImageHash: Buffer;
  readonly imageHash: Buffer;
  /** Equal for two files that decode to the same pixels. */
  readonly pixelHash: Buffer;
  /** Upright size of the picture, pixels; null of one that was uploaded before sizes were kept. */
  readonly width: number | null;
  readonly height: number | null;
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
  return { ...described(extraction), words: [...extraction.words] };
}

/** The extraction in a row's columns. */
export function extractionOf(row: ExtractionColumns): Extraction {
  return { ...described(row), words: Int32Array.from(row.words) };
}

function described(all: Omit<Extraction, "words">): Omit<Extraction, "words"> {
  const { originalImageHash, imageHash, pixelHash, width, height, packet, packetVersion } = all;
  return { originalImageHash, imageHash, pixelHash, width, height, packet, packetVersion };
}
