import { joined } from "./encoding.ts";

/**
 * The bytes of a stream, such as the body of an answer; null when there are more than `limit`, and no more of it is
 * read.
 */
export async function atMost(
  limit: number,
  stream: ReadableStream<Uint8Array> | null,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = stream?.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || value === undefined) return joined(parts);
    length += value.length;
    if (length > limit) break;
    parts.push(value);
  }
  await reader?.cancel();
  return null;
}
