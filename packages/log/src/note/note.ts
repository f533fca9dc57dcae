import { concat, fromBase64, fromHex, toBase64, toHex } from "@colophon/formats";
import { isKeyName, type VerifierKey } from "./verifier-key.ts";

/** A line that signs a note: whose it is, and what that key's type makes of the rest. */
export interface NoteSignature {
  readonly name: string;
  /** Eight hex digits. */
  readonly id: string;
  /** Without the key's id. */
  readonly signature: Uint8Array;
}

/** A text and what signs it (C2SP signed-note). */
export interface Note {
  /** With its last newline. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

const SIGNATURE_LINE = /^— (\S+) ([A-Za-z0-9+/=]+)$/u;
const KEY_ID_BYTES = 4;
/** More than any log has witnesses; the specification asks for 16 at least. */
const MAX_SIGNATURES = 100;
// oxlint-disable-next-line no-control-regex -- a note has none of them but its newlines
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/;

/** Reads a note, believing nothing of it. Throws a SyntaxError on what is no note. */
export function parseNote(note: string): Note {
  const end = note.lastIndexOf("\n\n") + 1;
  if (end < 1 || !note.endsWith("\n") || CONTROL.test(note) || !note.isWellFormed()) {
    throw new SyntaxError("not a signed note");
  }
  const lines = note.slice(end + 1, -1).split("\n");
  if (lines.length > MAX_SIGNATURES) throw new SyntaxError("a note with too many signatures");
  return { text: note.slice(0, end), signatures: lines.map(parseSignatureLine) };
}

/** The note as text, for `parseNote`. */
export function writeNote({ text, signatures }: Note): string {
  return `${text}\n${signatures.map(writeSignatureLine).join("")}`;
}

/** One line, with its newline. */
export function writeSignatureLine({ name, id, signature }: NoteSignature): string {
  return `— ${name} ${toBase64(concat(fromHex(id), signature))}\n`;
}

/** One line, without its newline. Throws a SyntaxError on another text. */
export function parseSignatureLine(line: string): NoteSignature {
  const [, name = "", base64 = ""] = SIGNATURE_LINE.exec(line) ?? [];
  const bytes = fromBase64(base64);
  if (!isKeyName(name) || bytes.length <= KEY_ID_BYTES) throw new SyntaxError("not a signature of a note");
  return {
    name,
    id: toHex(bytes.subarray(0, KEY_ID_BYTES)),
    signature: bytes.subarray(KEY_ID_BYTES),
  };
}

/** The signatures that claim to be by a key. */
export function signaturesBy(note: Note, key: VerifierKey): NoteSignature[] {
  return note.signatures.filter(({ name, id }) => name === key.name && id === key.id);
}
