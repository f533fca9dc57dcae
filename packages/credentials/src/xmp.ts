import { fromUtf8 } from "@colophon/formats";
import { SaxesParser } from "saxes";
import type { CreditLine, Said } from "./said.ts";

/** Bytes of a packet that is read; larger ones carry previews. */
const MOST_BYTES = 1_048_576;

/** Elements in each other; properties of a picture stand some five deep, those of its ingredients some ten. */
const MOST_DEPTH = 64;

const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const LICENSOR = "http://ns.useplus.org/ldf/xmp/1.0/Licensor";

/** Properties of the picture, by their expanded names (IPTC Photo Metadata, mapping to schema.org). */
const PROPERTIES: ReadonlyMap<string, keyof CreditLine> = new Map([
  ["http://purl.org/dc/elements/1.1/creator", "creator"],
  ["http://ns.adobe.com/photoshop/1.0/Credit", "creditText"],
  ["http://purl.org/dc/elements/1.1/rights", "copyrightNotice"],
  ["http://ns.adobe.com/xap/1.0/rights/WebStatement", "license"],
  ["http://ns.useplus.org/ldf/xmp/1.0/LicensorURL", "acquireLicensePage"],
]);

/**
 * What an XMP packet (ISO 16684-1) says of the picture itself, not of its ingredients, in the order said; of a packet
 * that is no well-formed XML, or nested deeper than 64 elements, nothing. No entity is resolved but XML's own five.
 */
export function readXmpCredit(packet: Uint8Array): Said {
  if (packet.length > MOST_BYTES) return {};
  const said: Said = {};
  const path: string[] = [];
  let text = "";
  const say = (): void => {
    const name = propertyAt(path);
    if (name !== undefined && text.trim() !== "") (said[name] ??= []).push(text);
    text = "";
  };
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    throw new SyntaxError(error.message);
  });
  parser.on("opentag", ({ uri, local, attributes }) => {
    if (path.push(uri + local) > MOST_DEPTH) throw new SyntaxError("elements nested too deeply");
    for (const attribute of Object.values(attributes)) {
      if (attribute.uri === RDF && attribute.local !== "resource") continue;
      text = attribute.value;
      path.push(attribute.uri + attribute.local);
      say();
      path.pop();
    }
    text = "";
  });
  parser.on("text", (characters) => {
    text += characters;
  });
  parser.on("cdata", (characters) => {
    text += characters;
  });
  parser.on("closetag", () => {
    say();
    path.pop();
  });
  try {
    parser.write(fromUtf8(packet).replaceAll("\0", "")).close();
    return said;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return {};
    throw error;
  }
}

/** The property whose text stands at a path: one of a description of the picture, its items included. */
function propertyAt(path: readonly string[]): keyof CreditLine | undefined {
  const description = path.indexOf(`${RDF}Description`);
  if (description < 1 || path[description - 1] !== `${RDF}RDF`) return undefined;
  const [property, ...below] = path
    .slice(description + 1)
    .filter((name) => !name.startsWith(RDF))
    .filter((name, at, names) => !(at === 0 && name === LICENSOR && names.length > 1));
  return property === undefined || below.length > 0 ? undefined : PROPERTIES.get(property);
}
