const LENGTH_OF_MARKER = 2;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);

/**
 * Cuts a stream of baseline JPEG files, written one after the other, into the files.
 *
 * @throws Error when the stream ends within a file
 */
export async function* jpegFiles(stream: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let left: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    left = Buffer.concat([left, chunk]);
    for (let end = endOfFile(left); end !== null; end = endOfFile(left)) {
      yield Uint8Array.from(left.subarray(0, end));
      left = left.subarray(end);
    }
  }
  if (left.length > 0) throw new Error("The last file is cut off.");
}

/** Where the first file ends, `null` while it is not whole. */
function endOfFile(bytes: Buffer): number | null {
  for (let at = LENGTH_OF_MARKER; at + 2 * LENGTH_OF_MARKER <= bytes.length; ) {
    const marker = bytes[at + 1];
    at += LENGTH_OF_MARKER + bytes.readUInt16BE(at + LENGTH_OF_MARKER);
    if (marker !== START_OF_SCAN) continue;
    // Within the scan no byte FF is followed by D9.
    const end = bytes.indexOf(END_OF_IMAGE, at);
    return end < 0 ? null : end + END_OF_IMAGE.length;
  }
  return null;
}
