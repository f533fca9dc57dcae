// Constants and strings alone: what a bundler may leave out of a page that does not read JSON this way.
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const ZERO = 0x30;
const NINE = 0x39;
const LOWER_E = 0x65;
const UPPER_E = 0x45;
const LOWER_U = 0x75;
/** What may follow a backslash, but for `u`. */
const ESCAPED = '"\\/bfnrt';
const LITERALS = ["true", "false", "null"];

/**
 * How many values a JSON text (RFC 8259) has, names of members not among them; null for bytes that are not one. Says
 * the same as `JSON.parse` of text in strict UTF-8, which the caller has checked, without making any of the values:
 * many small ones take a parser a hundred times longer.
 */
export function countJsonValues(bytes: Uint8Array): number | null {
  const reader = new JsonReader(bytes);
  return reader.readText() ? reader.values : null;
}

/** Reads over a JSON text. Every method answers whether what it reads is there, and then stands behind it. */
class JsonReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  values = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  readText(): boolean {
    /** Of every container that is open, the byte that closes it. */
    const open: number[] = [];
    for (;;) {
      if (!this.#readOpening(open)) return false;
      // Behind a value: what follows it, and of what it ends.
      for (;;) {
        const closing = open.at(-1);
        this.#skipSpace();
        if (closing === undefined) return this.#at === this.#bytes.length;
        if (this.#skip(closing)) open.pop();
        else if (!this.#skip(COMMA)) return false;
        else if (closing === CLOSE_BRACE && !this.#readName()) return false;
        else break;
      }
    }
  }

  /** A value, or of a container that is not empty all that comes before its first value. */
  #readOpening(open: number[]): boolean {
    for (;;) {
      this.#skipSpace();
      this.values += 1;
      const isObject = this.#skip(OPEN_BRACE);
      if (!isObject && !this.#skip(OPEN_BRACKET)) return this.#readScalar();
      const closing = isObject ? CLOSE_BRACE : CLOSE_BRACKET;
      this.#skipSpace();
      if (this.#skip(closing)) return true;
      open.push(closing);
      if (isObject && !this.#readName()) return false;
    }
  }

  /** The name of a member with its colon. */
  #readName(): boolean {
    this.#skipSpace();
    if (!this.#skip(QUOTE) || !this.#readString()) return false;
    this.#skipSpace();
    return this.#skip(COLON);
  }

  #readScalar(): boolean {
    if (this.#skip(QUOTE)) return this.#readString();
    return this.#readNumber() || LITERALS.some((literal) => this.#readLiteral(literal));
  }

  /** The rest of a string whose first quote has been read. */
  #readString(): boolean {
    const bytes = this.#bytes;
    while (this.#at < bytes.length) {
      const byte = bytes[this.#at]!;
      this.#at += 1;
      if (byte === QUOTE) return true;
      if (byte < 0x20) return false;
      if (byte === BACKSLASH && !this.#readEscape()) return false;
    }
    return false;
  }

  #readEscape(): boolean {
    const letter = this.#bytes[this.#at];
    this.#at += 1;
    if (letter !== LOWER_U) return letter !== undefined && ESCAPED.includes(String.fromCharCode(letter));
    const end = this.#at + 4;
    while (this.#at < end && isHexDigit(this.#bytes[this.#at])) this.#at += 1;
    return this.#at === end;
  }

  #readNumber(): boolean {
    const began = this.#at;
    this.#skip(MINUS);
    const isRead = (this.#skip(ZERO) || this.#readDigits()) && this.#readFraction() && this.#readExponent();
    if (!isRead) this.#at = began;
    return isRead;
  }

  #readFraction(): boolean {
    return !this.#skip(DOT) || this.#readDigits();
  }

  #readExponent(): boolean {
    if (!this.#skip(LOWER_E) && !this.#skip(UPPER_E)) return true;
    if (!this.#skip(PLUS)) this.#skip(MINUS);
    return this.#readDigits();
  }

  #readDigits(): boolean {
    const began = this.#at;
    while (isDigit(this.#bytes[this.#at])) this.#at += 1;
    return this.#at > began;
  }

  #readLiteral(literal: string): boolean {
    for (let k = 0; k < literal.length; k += 1) {
      if (this.#bytes[this.#at + k] !== literal.charCodeAt(k)) return false;
    }
    this.#at += literal.length;
    return true;
  }

  #skip(byte: number): boolean {
    if (this.#bytes[this.#at] !== byte) return false;
    this.#at += 1;
    return true;
  }

  #skipSpace(): void {
    while (isSpace(this.#bytes[this.#at])) this.#at += 1;
  }
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= NINE;

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

function isHexDigit(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lower = byte | 0x20;
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x66);
}
