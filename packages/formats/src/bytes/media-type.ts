/** What the first bytes of an image say that it is. */
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^\xff\xd8\xff/, "image/jpeg"],
  [/^\x89PNG/, "image/png"],
  [/^RIFF.{4}WEBP/s, "image/webp"],
  [/^.{4}ftypavi[fs]/s, "image/avif"],
  [/^GIF8/, "image/gif"],
  [/^(II\*\0|MM\0\*)/, "image/tiff"],
];
const LONGEST_SIGNATURE = 12;

/**
 * The media type that the first bytes of an image tell; null where they tell none, or cannot be read, of which whoever
 * sends it hears.
 */
export async function toldMediaType(image: Blob): Promise<string | null> {
  const first = image.slice(0, LONGEST_SIGNATURE).arrayBuffer();
  const bytes = await first.catch(() => new ArrayBuffer(0));
  const start = String.fromCharCode(...new Uint8Array(bytes));
  return SIGNATURES.find(([signature]) => signature.test(start))?.[1] ?? null;
}

/**
 * An image under the media type that its first bytes tell, whatever its file is called; under another only where they
 * tell none.
 */
export async function withMediaType(
  image: Blob,
  otherwise: string = image.type || "application/octet-stream",
): Promise<Blob> {
  return image.slice(0, image.size, (await toldMediaType(image)) ?? otherwise);
}
