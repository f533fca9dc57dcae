/** The bytes of a stream, such as the body of an answer; null when there are more than `limit`, and no more of it is read. */
export async function atMost(
  limit: number,
  stream: ReadableStream<Uint8Array> | null,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = stream?.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || value === undefined) return joined(parts, length);
    length += value.length;
    if (length > limit) break;
    parts.push(value);
  }
  await reader?.cancel();
  return null;
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
