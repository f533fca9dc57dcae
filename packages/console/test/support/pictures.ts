import sharp from "sharp";
import { cropped } from "@colophon/testing/reposts.ts";
import { freshPicture as freshBytes } from "@colophon/testing/test-pictures.ts";

/** A file as a browser is given it. */
export interface GivenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** A picture nobody has registered yet; as small as it is unless told otherwise, it is not found by its crops. */
export async function freshPicture(name: string, width = 72, height = 48): Promise<GivenFile> {
  return { name, mimeType: "image/jpeg", buffer: Buffer.from(await freshBytes(width, height)) };
}

/** As many small pictures. */
export function freshPictures(count: number): Promise<GivenFile[]> {
  return Promise.all(
    Array.from({ length: count }, (_, at) => freshPicture(`frame-${String(at + 1).padStart(3, "0")}.jpg`)),
  );
}

/** The middle of a picture, saved again as somebody might repost it. */
export async function croppedCopy({ buffer }: GivenFile, name: string): Promise<GivenFile> {
  return { name, mimeType: "image/jpeg", buffer: await cropped(buffer) };
}

/** A picture that names whom to credit, in XMP. */
export async function creditedTo(name: string, picture: GivenFile): Promise<GivenFile> {
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description xmlns:ps="http://ns.adobe.com/photoshop/1.0/" ps:Credit="${name}"/></rdf:RDF></x:xmpmeta>`;
  return { ...picture, buffer: await sharp(picture.buffer).withXmp(xmp).jpeg().toBuffer() };
}
