import { toHex, toUtf8 } from "@colophon/formats";

/**
 * A manifest to register with an image. JSON text (or a Blob of it) is kept byte for byte as given; an object is
 * written with `JSON.stringify`. `jumbf` is a JUMBF or C2PA container.
 */
export type ManifestInput =
  | { readonly kind: string; readonly json: object | string | Blob }
  | { readonly kind: string; readonly jumbf: Blob | Uint8Array<ArrayBuffer> };

/**
 * An image to send: a `File`, a `Blob` that knows its type, or the bytes with their media type. A stream is sent as it
 * is read and never held whole, but a call that carries one cannot be repeated, and a browser sends it over HTTP/2
 * only.
 */
export type ImageInput =
  | Blob
  | {
      readonly bytes: Blob | ReadableStream<Uint8Array>;
      readonly type: string;
      readonly fileName?: string;
    };

/** An image of an upload with the manifests that belong to it. */
export interface UploadInput {
  readonly image: ImageInput;
  readonly manifests?: readonly ManifestInput[];
}

interface FilePart {
  readonly name: string;
  /** `blob` where it is not given, as a form names a file that has none. */
  readonly fileName?: string | undefined;
  readonly type: string;
  readonly bytes: Blob | ReadableStream<Uint8Array>;
}

/** A part of a body: a file, or a field with its text. */
type Part = FilePart | { readonly name: string; readonly text: string };

/** A request body, made again for each attempt; one that carries a stream can be made once. */
export interface Payload {
  readonly repeatable: boolean;
  readonly make: () => { readonly body: BodyInit; readonly contentType?: string };
}

/** A multipart body: for each upload its manifests, then its image. */
export function uploadPayload(uploads: readonly UploadInput[]): Payload {
  return multipart(
    uploads.flatMap(({ manifests = [], image }) => [...manifests.map(manifestPart), imagePart(image)]),
  );
}

/** A multipart body of manifests alone. */
export function manifestsPayload(manifests: readonly ManifestInput[]): Payload {
  return multipart(manifests.map(manifestPart));
}

/** A multipart body that opens a sequence. */
export function openingPayload(
  expectedSize: number | undefined,
  manifests: readonly ManifestInput[],
): Payload {
  const size = expectedSize === undefined ? [] : [{ name: "expectedSize", text: String(expectedSize) }];
  return multipart([...size, ...manifests.map(manifestPart)]);
}

/** A multipart body of PX frame containers. */
export function framesPayload(containers: readonly Uint8Array<ArrayBuffer>[]): Payload {
  const type = "application/octet-stream";
  return multipart(containers.map((container) => ({ name: "frame", type, bytes: new Blob([container]) })));
}

/** A JSON body. */
export function jsonPayload(value: object): Payload {
  return {
    repeatable: true,
    make: () => ({ body: JSON.stringify(value), contentType: "application/json" }),
  };
}

function manifestPart(manifest: ManifestInput): FilePart {
  const name = `manifest[${manifest.kind}]`;
  if ("jumbf" in manifest) {
    const { jumbf } = manifest;
    const bytes = jumbf instanceof Blob ? jumbf : new Blob([jumbf]);
    return { name, type: "application/jumbf", bytes };
  }
  const { json } = manifest;
  const bytes =
    json instanceof Blob ? json : new Blob([typeof json === "string" ? json : JSON.stringify(json)]);
  return { name, type: "application/json", bytes };
}

function imagePart(image: ImageInput): FilePart {
  if (!(image instanceof Blob)) return { ...image, name: "image" };
  const fileName = image instanceof File ? image.name : undefined;
  return { name: "image", fileName, type: image.type, bytes: image };
}

/** The body of RFC 7578: lazily joined as a Blob, whose length is known, unless a part is a stream. */
function multipart(parts: readonly Part[]): Payload {
  const boundary = `colophon-${toHex(crypto.getRandomValues(new Uint8Array(16)))}`;
  const contentType = `multipart/form-data; boundary=${boundary}`;
  const pieces = [...parts.flatMap((part) => piecesOf(part, boundary)), `--${boundary}--\r\n`];
  if (pieces.every((piece) => typeof piece === "string" || piece instanceof Blob)) {
    const body = new Blob(pieces);
    return { repeatable: true, make: () => ({ body, contentType }) };
  }
  return { repeatable: false, make: () => ({ body: streamOf(pieces), contentType }) };
}

type Piece = string | Blob | ReadableStream<Uint8Array>;

function piecesOf(part: Part, boundary: string): Piece[] {
  if ("text" in part) {
    return [`--${boundary}\r\ncontent-disposition: form-data; name="${part.name}"\r\n\r\n${part.text}\r\n`];
  }
  const { name, fileName = "blob", type, bytes } = part;
  const disposition = `form-data; name="${quoted(name)}"; filename="${quoted(fileName)}"`;
  const head = `--${boundary}\r\ncontent-disposition: ${disposition}\r\ncontent-type: ${type}\r\n\r\n`;
  return [head, bytes, "\r\n"];
}

function streamOf(pieces: readonly Piece[]): ReadableStream<Uint8Array> {
  const chunks = chunksOf(pieces);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}

async function* chunksOf(pieces: readonly Piece[]): AsyncGenerator<Uint8Array, undefined, undefined> {
  for (const piece of pieces) {
    if (typeof piece === "string") {
      yield toUtf8(piece);
      continue;
    }
    const reader = (piece instanceof Blob ? piece.stream() : piece).getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        yield value;
      }
    } finally {
      await reader.cancel();
    }
  }
}

/** A name within quotes, as the form submission of HTML escapes it. */
function quoted(name: string): string {
  return name.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
}
