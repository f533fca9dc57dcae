import { refuse } from "@colophon/contract";

/** What a part of a multipart body says of itself (RFC 7578). */
export interface PartHeaders {
  readonly name: string;
  /** The declared filename; null when none was declared. */
  readonly fileName: string | null;
  /** The part's Content-Type as declared; null when it has none. */
  readonly contentType: string | null;
}

const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** What a field's value has none of, but the tab (RFC 9110 section 5.5). */
const CONTROL = /[^\P{Cc}\t]/u;
const PARAMETER = /;\s*([!#$%&'*+\-.^_`|~0-9A-Za-z]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))\s*/gsy;

/**
 * Reads a part's header block.
 * @throws Refusal malformedRequest when it is no header block, or names no form-data field
 */
export function parsePartHeaders(block: Uint8Array): PartHeaders {
  const headers = new Map<string, string>();
  for (const line of new TextDecoder().decode(block).split("\r\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    if (!FIELD_NAME.test(name) || CONTROL.test(line) || headers.has(name)) throw malformed();
    headers.set(name, line.slice(colon + 1).trim());
  }
  const { type, parameters } = parseParameters(headers.get("content-disposition") ?? "");
  const name = parameters.get("name");
  if (type !== "form-data" || name === undefined) throw malformed();
  const fileName = extendedValue(parameters.get("filename*")) ?? parameters.get("filename") ?? null;
  return { name, fileName, contentType: headers.get("content-type") ?? null };
}

/** The boundary of a `multipart/form-data` Content-Type, or null for any other type. */
export function multipartBoundary(contentType: string | undefined): string | null {
  const { type, parameters } = parseParameters(contentType ?? "");
  const boundary = parameters.get("boundary") ?? "";
  return type === "multipart/form-data" && /^[^\r\n]{1,70}$/.test(boundary) ? boundary : null;
}

/**
 * Whether a part is a file: it has a filename, or declares an image or application type. Manifest parts are
 * files too; the caller tells them by name.
 */
export function isFilePart({ fileName, contentType }: PartHeaders): boolean {
  return fileName !== null || /^\s*(image|application)\//i.test(contentType ?? "");
}

/** Characters of a declared type, parameters and all: it is kept, and shown in lists, as it was declared. */
const LONGEST_TYPE = 255;

/** A media type without parameters, in lower case; empty for none, and for one that is declared at too great length. */
export function mediaType(contentType: string | null): string {
  if (contentType === null || contentType.length > LONGEST_TYPE) return "";
  return contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** `type; name=value; name="value"`, names in lower case; what does not parse ends the list. */
function parseParameters(header: string): { type: string; parameters: ReadonlyMap<string, string> } {
  const parameters = new Map<string, string>();
  const semicolon = header.indexOf(";");
  const type = (semicolon < 0 ? header : header.slice(0, semicolon)).trim().toLowerCase();
  if (semicolon < 0) return { type, parameters };
  PARAMETER.lastIndex = semicolon;
  for (let match = PARAMETER.exec(header); match; match = PARAMETER.exec(header)) {
    const [, name = "", quoted, plain] = match;
    if (!parameters.has(name.toLowerCase())) {
      parameters.set(name.toLowerCase(), quoted === undefined ? (plain ?? "") : unquote(quoted));
    }
  }
  return { type, parameters };
}

/**
 * Browsers escape quotes and line breaks as percent codes (HTML, multipart/form-data encoding), others by backslash.
 */
function unquote(text: string): string {
  return text
    .replaceAll(/\\(["\\])/g, "$1")
    .replaceAll(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** An RFC 8187 value, `UTF-8''percent-coded`; null when there is none or it does not decode. */
function extendedValue(value: string | undefined): string | null {
  const [, coded] = /^utf-8'[^']*'(.*)$/i.exec(value ?? "") ?? [];
  try {
    return coded === undefined ? null : decodeURIComponent(coded);
  } catch {
    return null;
  }
}

function malformed(): ReturnType<typeof refuse> {
  return refuse("malformedRequest", "malformedMultipart");
}
