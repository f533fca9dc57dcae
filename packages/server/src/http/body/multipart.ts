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
 * @throws Refusal malformedRequest on anything but parts between delimiters, closed by the last one; requestTooLarge
 *   when there are too many of them
 */
export async function* readMultipart(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<MultipartEvent> {
  const reader = new Reader(boundary);
  for await (const chunk of chunks) yield* reader.read(chunk);
  if (!reader.finished) throw malformed();
}

/** What comes before the first delimiter, or the body of a part: bytes up to the next delimiter. */
interface Content {
  readonly is: "content";
  readonly ofPart: boolean;
  /** Bytes of the delimiter seen at the end of the last chunk. */
  matched: number;
  /** How many of the matched bytes are no content: the line break that ended what came before. */
  borrowed: number;
}

/** Where the reader is, with what it has of that so far. */
type Place =
  | Content
  | { readonly is: "delimiterEnd"; readonly line: number[] }
  | { readonly is: "headers"; readonly block: number[] }
  | { readonly is: "epilogue" };

/**
 * The first delimiter needs no line break before it, and that of an empty body begins with the one that ends the
 * headers.
 */
function contentBegins(ofPart: boolean): Content {
  return { is: "content", ofPart, matched: 2, borrowed: 2 };
}

class Reader {
  readonly #delimiter: Buffer;
  #place: Place = contentBegins(false);
  #weight = 0;

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, "utf8");
  }

  get finished(): boolean {
    return this.#place.is === "epilogue";
  }

  *read(chunk: Uint8Array): Generator<MultipartEvent> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let at = 0;
    while (at < bytes.length) {
      const place = this.#place;
      switch (place.is) {
        case "content":
          at = yield* this.#readContent(place, bytes, at);
          break;
        case "delimiterEnd":
          at = this.#readDelimiterEnd(place.line, bytes, at);
          break;
        case "headers":
          at = yield* this.#readHeaders(place.block, bytes, at);
          break;
        case "epilogue":
          return;
        default:
          place satisfies never;
      }
    }
  }

  /** Content up to the next delimiter or the chunk's end. */
  *#readContent(content: Content, bytes: Buffer, start: number): Generator<MultipartEvent, number> {
    let at = start;
    if (content.matched > 0) {
      const before = content.matched;
      while (
        at < bytes.length &&
        content.matched < this.#delimiter.length &&
        bytes[at] === this.#delimiter[content.matched]
      ) {
        at += 1;
        content.matched += 1;
      }
      if (content.matched === this.#delimiter.length) return yield* this.#atDelimiter(content, at);
      if (at === bytes.length) return at;
      // It was content after all: the bytes are the delimiter's own. What matched of this chunk is passed on
      // with it, for a delimiter cannot begin inside a part of itself: it has one CR.
      yield* passedOn(content, this.#delimiter.subarray(content.borrowed, before));
      at = start;
      content.matched = 0;
      content.borrowed = 0;
    }
    const found = bytes.indexOf(this.#delimiter, at);
    if (found >= 0) {
      yield* passedOn(content, bytes.subarray(at, found));
      return yield* this.#atDelimiter(content, found + this.#delimiter.length);
    }
    content.matched = this.#openEnd(bytes, at);
    yield* passedOn(content, bytes.subarray(at, bytes.length - content.matched));
    return bytes.length;
  }

  /** How many of the last bytes could be the beginning of a delimiter. */
  #openEnd(bytes: Buffer, from: number): number {
    const cr = bytes.lastIndexOf(CR);
    if (cr < from || bytes.length - cr >= this.#delimiter.length) return 0;
    const tail = bytes.subarray(cr);
    return tail.equals(this.#delimiter.subarray(0, tail.length)) ? tail.length : 0;
  }

  *#atDelimiter({ ofPart }: Content, at: number): Generator<MultipartEvent, number> {
    if (ofPart) yield { type: "close" };
    this.#place = { is: "delimiterEnd", line: [] };
    return at;
  }

  /** `--` ends the body; white space and a line break begin the next part. */
  #readDelimiterEnd(line: number[], bytes: Buffer, start: number): number {
    for (let at = start; at < bytes.length; at += 1) {
      line.push(bytes[at] ?? 0);
      if (line[0] === DASH && line[1] === DASH) {
        this.#place = { is: "epilogue" };
        return at + 1;
      }
      if (line.at(-2) === CR && line.at(-1) === LF) {
        if (line.slice(0, -2).some((byte) => byte !== 0x20 && byte !== 0x09)) throw malformed();
        this.#place = { is: "headers", block: [] };
        return at + 1;
      }
      if (line.length > 256) throw malformed();
    }
    return bytes.length;
  }

  *#readHeaders(block: number[], bytes: Buffer, start: number): Generator<MultipartEvent, number> {
    for (let at = start; at < bytes.length; at += 1) {
      block.push(bytes[at] ?? 0);
      if (block.length > HEADER_BLOCK_LIMIT) throw malformed();
      const n = block.length;
      if (block[n - 1] === LF && block[n - 2] === CR && block[n - 3] === LF && block[n - 4] === CR) {
        this.#weight += PART_WEIGHT + n;
        if (this.#weight > PARTS_LIMIT) throw refuse("requestTooLarge");
        const headers = parsePartHeaders(Uint8Array.from(block.slice(0, -4)));
        this.#place = contentBegins(true);
        yield { type: "open", headers };
        return at + 1;
      }
    }
    return bytes.length;
  }
}

/** Only a part's bytes are anybody's to read. */
function* passedOn({ ofPart }: Content, bytes: Uint8Array): Generator<MultipartEvent> {
  if (ofPart && bytes.length > 0) yield { type: "bytes", bytes };
}

function malformed(): ReturnType<typeof refuse> {
  return refuse("malformedRequest", "malformedMultipart");
}
