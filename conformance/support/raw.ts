import { request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import type { Answer } from "./answer.ts";

/** One part of a multipart body, its header lines written as given. */
export interface RawPart {
  readonly headers: readonly string[];
  readonly body: string | Uint8Array;
}

const BOUNDARY = "----colophon-conformance";

/** The Content-Type that goes with `multipartBody`. */
export const MULTIPART_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A multipart body of parts whose headers are spelled out. */
export function multipartBody(parts: readonly RawPart[]): Uint8Array<ArrayBuffer> {
  const chunks = parts.flatMap(({ headers, body }) => [
    Buffer.from(`--${BOUNDARY}\r\n${headers.map((line) => `${line}\r\n`).join("")}\r\n`),
    Buffer.from(body),
    Buffer.from("\r\n"),
  ]);
  return Uint8Array.from(Buffer.concat([...chunks, Buffer.from(`--${BOUNDARY}--\r\n`)]));
}

/** A file part as browsers write it. */
export function filePart(name: string, type: string, body: string | Uint8Array): RawPart {
  const disposition = `Content-Disposition: form-data; name="${name}"; filename="file"`;
  return { headers: [disposition, `Content-Type: ${type}`], body };
}

/** A plain field. */
export function fieldPart(name: string, body: string): RawPart {
  return { headers: [`Content-Disposition: form-data; name="${name}"`], body };
}

/** Sends a request head that declares `length` bytes, and none of them; answers what comes back. */
export function declareOnly(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  length: number,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, "content-length": length } }, (incoming) => {
      // The answer is whole before the connection is: its length is declared.
      let read = "";
      const expected = Number(incoming.headers["content-length"]);
      incoming.on("data", (chunk: Buffer) => {
        read += chunk.toString();
        if (Buffer.byteLength(read) < expected) return;
        sent.destroy();
        resolve({
          status: incoming.statusCode ?? 0,
          headers: new Headers({ "content-type": incoming.headers["content-type"] ?? "" }),
          bytes: Uint8Array.from(Buffer.from(read)),
          text: read,
        });
      });
    });
    sent.on("error", reject);
    sent.flushHeaders();
  });
}

/** Writes bytes to the service's port as they are, and gives back all it answers until it closes. */
export async function speak(baseUrl: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port || 80), hostname);
  socket.write(bytes);
  return text(socket);
}
