/** A stretch of a JSON text, from its first character to the one after its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const OPENING = "{[";
const CLOSING = "}]";

/**
 * The members of the object at `span`, each with the stretch of its value: everything between the colon and the comma
 * or brace after it, whitespace included. Of a repeated key the last counts, as in JSON.parse. `text` must be valid
 * JSON.
 */
export function memberSpans(text: string, span: Span): ReadonlyMap<string, Span> {
  const members = new Map<string, Span>();
  for (const { start, end } of parts(text, span)) {
    const colon = partEnd(text, start, ":");
    const key: unknown = JSON.parse(text.slice(start, colon));
    members.set(String(key), { start: colon + 1, end });
  }
  return members;
}

/** The stretches of the elements of the array at `span`, whitespace included. `text` must be valid JSON. */
export function elementSpans(text: string, span: Span): Span[] {
  return parts(text, span);
}

/** What stands between the brackets of the container at `span`, split at its own commas. */
function parts(text: string, span: Span): Span[] {
  let start = span.start;
  while (!OPENING.includes(text.charAt(start))) start += 1;
  start += 1;
  const found: Span[] = [];
  for (;;) {
    const end = partEnd(text, start, ",");
    if (found.length > 0 || text.slice(start, end).trim() !== "") found.push({ start, end });
    if (text[end] !== ",") return found;
    start = end + 1;
  }
}

/** Where `mark`, or else the end of the container around `start`, comes next at the depth of `start`. */
function partEnd(text: string, start: number, mark: string): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = stringEnd(text, at);
    else if (depth === 0 && (character === mark || CLOSING.includes(character))) return at;
    else if (OPENING.includes(character)) depth += 1;
    else if (CLOSING.includes(character)) depth -= 1;
  }
  throw new SyntaxError("not a JSON container");
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === "\\" ? 2 : 1;
  return at;
}
