import { DER, type DerElement, readDer } from "../bytes/der.ts";
import { fromUtf8, toHex } from "../bytes/encoding.ts";

const ORGANIZATION = "55040a";

/** Names of attribute types (RFC 4514 section 3), by the DER content of their identifiers in hex. */
const ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ["550403", "CN"],
  ["550406", "C"],
  ["550407", "L"],
  ["550408", "ST"],
  [ORGANIZATION, "O"],
  ["55040b", "OU"],
]);

/**
 * A certificate's subject or issuer in words, its attributes in the order given: `O=harbour.example, CN=Colophon root`.
 * An attribute of another type goes by its identifier in hex. For people to read; names are compared byte for byte.
 * Throws a SyntaxError on anything that is not a name.
 */
export function readDistinguishedName(der: Uint8Array): string {
  return relativeNames(der)
    .map((attributes) =>
      attributes.map(({ id, value }) => `${ATTRIBUTES.get(id) ?? id}=${text(value.content)}`).join("+"),
    )
    .join(", ");
}

/**
 * The organization in a certificate's subject or issuer; null when it names none, more than one, or one in another
 * encoding than UTF8String or PrintableString. Throws a SyntaxError on anything that is not a name.
 */
export function organizationOf(der: Uint8Array): string | null {
  const [organization, ...more] = relativeNames(der)
    .flat()
    .filter(({ id }) => id === ORGANIZATION);
  if (organization === undefined || more.length > 0) return null;
  const { tag, content } = organization.value;
  return tag === DER.utf8String || tag === DER.printableString ? text(content) : null;
}

interface Attribute {
  /** The DER content of its type's identifier, in hex. */
  readonly id: string;
  readonly value: DerElement;
}

/** The attributes of each relative name. */
function relativeNames(der: Uint8Array): Attribute[][] {
  const [name, ...rest] = readDer(der);
  if (name === undefined || rest.length > 0) throw new SyntaxError("not a distinguished name");
  return members(name, DER.sequence).map((set) => members(set, DER.set).map(attribute));
}

function attribute(pair: DerElement): Attribute {
  const [type, value, ...rest] = members(pair, DER.sequence);
  if (type?.tag !== DER.objectIdentifier || value === undefined || rest.length > 0) {
    throw new SyntaxError("not an attribute of a name");
  }
  return { id: toHex(type.content), value };
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
