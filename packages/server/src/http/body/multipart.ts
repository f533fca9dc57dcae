import { refuse } from "@colophon/contract";
import { type PartHeaders, parsePartHeaders } from "./part-headers.ts";

/** A multipart body as it streams by: a part opens, its bytes pass, it closes. */
export type MultipartEvent =
  | { readonly type: "open"; readonly headers: PartHeaders }
  /** Bytes of the open part; theirs to read until the next event is asked for. */
  | { readonly type: "bytes"; readonly bytes: Uint8Array }
  | { readonly type: "close" };

const HEADER_BLOCK_LIMIT = 8192;
/**
 * What the parts of one body may weigh by their headers, however little is in them: their reader keeps something of
 * each until the answer, its file name for one. At most 8,192 parts, some 5,000 with headers of a common length.
 */
const PARTS_LIMIT = 2_097_152;
const PART_WEIGHT = 256;
const DASH = 0x2d;
const CR = 0x0d;
const LF = 0x0a;

/**
 * Reads a `multipart/form-data` body (RFC 2046 section 5.1, RFC 7578) as a stream, without copying the parts'
 * bytes: a delimiter that straddles two chunks is remembered as a count, for its bytes are known. That is why
 * this is our own: parsers at hand join chunks into buffers that nobody zeroes.
 * @throws Refusal malformedRequest on anything but parts between delimiters, closed by the last one; requestTooLarge when
 *   there are too many of them
 */
export async function* readMultipart(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<MultipartEvent> {
  const reader = new Reader(boundary);
  for await (const chunk of chunks) yield* reader.read(chunk);
  if (!reader.finished) throw malformed();
}

type Place = "preamble" | "afterDelimiter" | "headers" | "body" | "epilogue";

class Reader {
  readonly #delimiter: Buffer;
  #place: Place = "preamble";
  /** Bytes of the delimiter seen at the end of the last chunk. The first delimiter needs no line break before it. */
  #matched = 2;
  /** How many of the matched bytes are no content: the line break that ended what came before. */
  #borrowed = 2;
  #line: number[] = [];
  #block: number[] = [];
  #weight = 0;

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, "utf8");
  }

  get finished(): boolean {
    return this.#place === "epilogue";
  }

  *read(chunk: Uint8Array): Generator<MultipartEvent> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let at = 0;
    while (at < bytes.length) {
      switch (this.#place) {
        case "preamble":
        case "body":
          at = yield* this.#readContent(bytes, at);
          break;
        case "afterDelimiter":
          at = this.#readDelimiterEnd(bytes, at);
          break;
        case "headers":
          at = yield* this.#readHeaders(bytes, at);
          break;
        case "epilogue":
          return;
        default:
          this.#place satisfies never;
      }
    }
  }

  /** Content up to the next delimiter or the chunk's end. */
  *#readContent(bytes: Buffer, start: number): Generator<MultipartEvent, number> {
    let at = start;
    if (this.#matched > 0) {
      const before = this.#matched;
      while (
        at < bytes.length &&
        this.#matched < this.#delimiter.length &&
        bytes[at] === this.#delimiter[this.#matched]
      ) {
        at += 1;
        this.#matched += 1;
      }
      if (this.#matched === this.#delimiter.length) return yield* this.#atDelimiter(at);
      if (at === bytes.length) return at;
      // It was content after all: the bytes are the delimiter's own. What matched of this chunk is passed on
      // with it, for a delimiter cannot begin inside a part of itself: it has one CR.
      yield* this.#content(this.#delimiter.subarray(this.#borrowed, before));
      at = start;
      this.#matched = 0;
      this.#borrowed = 0;
    }
    const found = bytes.indexOf(this.#delimiter, at);
    if (found >= 0) {
      yield* this.#content(bytes.subarray(at, found));
      return yield* this.#atDelimiter(found + this.#delimiter.length);
    }
    this.#matched = this.#openEnd(bytes, at);
    yield* this.#content(bytes.subarray(at, bytes.length - this.#matched));
    return bytes.length;
  }

  /** How many of the last bytes could be the beginning of a delimiter. */
  #openEnd(bytes: Buffer, from: number): number {
    const cr = bytes.lastIndexOf(CR);
    if (cr < from || bytes.length - cr >= this.#delimiter.length) return 0;
    const tail = bytes.subarray(cr);
    return tail.equals(this.#delimiter.subarray(0, tail.length)) ? tail.length : 0;
  }

  *#content(bytes: Uint8Array): Generator<MultipartEvent> {
    if (this.#place === "body" && bytes.length > 0) yield { type: "bytes", bytes };
  }

  *#atDelimiter(at: number): Generator<MultipartEvent, number> {
    if (this.#place === "body") yield { type: "close" };
    this.#place = "afterDelimiter";
    this.#matched = 0;
    this.#borrowed = 0;
    this.#line = [];
    return at;
  }

  /** `--` ends the body; white space and a line break begin the next part. */
  #readDelimiterEnd(bytes: Buffer, start: number): number {
    for (let at = start; at < bytes.length; at += 1) {
      const line = this.#line;
      line.push(bytes[at] ?? 0);
      if (line[0] === DASH && line[1] === DASH) {
        this.#place = "epilogue";
        return at + 1;
      }
      if (line.at(-2) === CR && line.at(-1) === LF) {
        if (line.slice(0, -2).some((byte) => byte !== 0x20 && byte !== 0x09)) throw malformed();
        this.#place = "headers";
        this.#block = [];
        return at + 1;
      }
      if (line.length > 256) throw malformed();
    }
    return bytes.length;
  }

  *#readHeaders(bytes: Buffer, start: number): Generator<MultipartEvent, number> {
    const block = this.#block;
    for (let at = start; at < bytes.length; at += 1) {
      block.push(bytes[at] ?? 0);
      if (block.length > HEADER_BLOCK_LIMIT) throw malformed();
      const n = block.length;
      if (block[n - 1] === LF && block[n - 2] === CR && block[n - 3] === LF && block[n - 4] === CR) {
        this.#weight += PART_WEIGHT + n;
        if (this.#weight > PARTS_LIMIT) throw refuse("requestTooLarge");
        const headers = parsePartHeaders(Uint8Array.from(block.slice(0, -4)));
        this.#place = "body";
        // An empty body's delimiter begins with the line break that ends the headers.
        this.#matched = 2;
        this.#borrowed = 2;
        yield { type: "open", headers };
        return at + 1;
      }
    }
    return bytes.length;
  }
}

function malformed(): ReturnType<typeof refuse> {
  return refuse("malformedRequest", "malformedMultipart");
}
