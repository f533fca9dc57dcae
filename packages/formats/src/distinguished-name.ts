import { DER, type DerElement, readDer } from "./der.ts";
import { fromUtf8, toHex } from "./encoding.ts";

/** Names of attribute types (RFC 4514 section 3), by the DER content of their identifiers in hex. */
const ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ["550403", "CN"],
  ["550406", "C"],
  ["550407", "L"],
  ["550408", "ST"],
  ["55040a", "O"],
  ["55040b", "OU"],
]);

/**
 * A certificate's subject or issuer in words, its attributes in the order given: `O=harbour.example, CN=Colophon root`. An
 * attribute of another type goes by its identifier in hex. For people to read; names are compared byte for byte. Throws a
 * SyntaxError on anything that is not a name.
 */
export function readDistinguishedName(der: Uint8Array): string {
  const [name, ...rest] = readDer(der);
  if (name?.tag !== DER.sequence || rest.length > 0) throw new SyntaxError("not a distinguished name");
  return readDer(name.content)
    .map((set) => members(set, DER.set).map(attribute).join("+"))
    .join(", ");
}

function attribute(pair: DerElement): string {
  const [type, value, ...rest] = members(pair, DER.sequence);
  if (type?.tag !== DER.objectIdentifier || value === undefined || rest.length > 0) {
    throw new SyntaxError("not an attribute of a name");
  }
  const id = toHex(type.content);
  return `${ATTRIBUTES.get(id) ?? id}=${text(value.content)}`;
}

function members(element: DerElement, tag: number): DerElement[] {
  if (element.tag !== tag) throw new SyntaxError("not the expected DER element");
  return readDer(element.content);
}

function text(bytes: Uint8Array): string {
  try {
    return fromUtf8(bytes);
  } catch {
    return `#${toHex(bytes)}`;
  }
}
