import { randomInt } from "node:crypto";
import sharp from "sharp";
import { encodePicture, paintPicture } from "@colophon/testing/pictures.ts";

/** A file as a browser is given it. */
export interface GivenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** A picture nobody has registered yet; as small as it is unless told otherwise, it is not found by its crops. */
export async function freshPicture(name: string, width = 72, height = 48): Promise<GivenFile> {
  const rgb = paintPicture(randomInt(2 ** 31), width, height);
  return {
    name,
    mimeType: "image/jpeg",
    buffer: Buffer.from(await encodePicture(rgb, width, height, "jpeg")),
  };
}

/** As many small pictures. */
export function freshPictures(count: number): Promise<GivenFile[]> {
  return Promise.all(
    Array.from({ length: count }, (_, at) => freshPicture(`frame-${String(at + 1).padStart(3, "0")}.jpg`)),
  );
}

/** The middle of a picture, saved again as somebody might repost it. */
export async function croppedCopy({ buffer }: GivenFile, name: string): Promise<GivenFile> {
  const { width, height } = await sharp(buffer).metadata();
  const area = {
    left: Math.round(width * 0.15),
    top: Math.round(height * 0.15),
    width: Math.round(width * 0.7),
    height: Math.round(height * 0.7),
  };
  const crop = await sharp(buffer).extract(area).jpeg({ quality: 50 }).toBuffer();
  return { name, mimeType: "image/jpeg", buffer: crop };
}

/** A picture that names whom to credit, in XMP. */
export async function creditedTo(name: string, picture: GivenFile): Promise<GivenFile> {
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description xmlns:ps="http://ns.adobe.com/photoshop/1.0/" ps:Credit="${name}"/></rdf:RDF></x:xmpmeta>`;
  return { ...picture, buffer: await sharp(picture.buffer).withXmp(xmp).jpeg().toBuffer() };
}
