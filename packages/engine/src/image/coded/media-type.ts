/** Media types this engine has decoders for. */
export const decodableTypes = [
  "image/jpeg",
  "image/png",
  "image/webp",
  "image/gif",
  "image/tiff",
  "image/avif",
] as const;

export type DecodableType = (typeof decodableTypes)[number];

function hasAscii(image: Uint8Array, at: number, ascii: string): boolean {
  for (let i = 0; i < ascii.length; i += 1) if (image[at + i] !== ascii.charCodeAt(i)) return false;
  return true;
}

/** The media type the first bytes announce, or null. */
export function sniffMediaType(image: Uint8Array): DecodableType | null {
  if (hasAscii(image, 0, "\xff\xd8\xff")) return "image/jpeg";
  if (hasAscii(image, 0, "\x89PNG\r\n\x1a\n")) return "image/png";
  if (hasAscii(image, 0, "RIFF") && hasAscii(image, 8, "WEBP")) return "image/webp";
  if (hasAscii(image, 0, "GIF87a") || hasAscii(image, 0, "GIF89a")) return "image/gif";
  if (hasAscii(image, 0, "II*\0") || hasAscii(image, 0, "MM\0*")) return "image/tiff";
  if (hasAscii(image, 4, "ftypavif") || hasAscii(image, 4, "ftypavis")) return "image/avif";
  return null;
}
