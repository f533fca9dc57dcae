import { type EmbeddedMetadata, fromUtf8 } from "@colophon/formats";
import type { CreditLine, Said } from "./said.ts";
import { readXmpCredit } from "./xmp.ts";

/** Characters of one text, and creators, that are taken over. */
const MOST_TEXT = 4096;
const MOST_CREATORS = 64;

/**
 * What the XMP packet says, and where it says nothing the IIM data sets, under IPTC's mapping to schema.org; null when
 * neither says anything of it. Nothing else is taken over: no places, serial numbers or names of owners.
 */
export function creditLine({ xmp, iim }: Pick<EmbeddedMetadata, "xmp" | "iim">): CreditLine | null {
  const said: Said = xmp === null ? {} : readXmpCredit(xmp);
  const older: Said = iim === null ? {} : readIimCredit(iim);
  const first = (name: keyof CreditLine): string | null =>
    texts(said[name])[0] ?? texts(older[name])[0] ?? null;
  const creators = [texts(said.creator), texts(older.creator)].find(({ length }) => length > 0) ?? [];
  const line: CreditLine = {
    creator: creators.slice(0, MOST_CREATORS),
    creditText: first("creditText"),
    copyrightNotice: first("copyrightNotice"),
    license: first("license"),
    acquireLicensePage: first("acquireLicensePage"),
  };
  return statedFields(line).length === 0 ? null : line;
}

/** The names of what a credit line states. */
export function statedFields(line: CreditLine): string[] {
  return Object.entries(line).flatMap(([name, value]) =>
    value === null || value.length === 0 ? [] : [name],
  );
}

/** A credit line as JSON-LD: a schema.org `ImageObject`. */
export function imageObject({ creator, ...terms }: CreditLine): object {
  const stated = Object.entries(terms).filter(([, text]) => text !== null);
  return {
    "@context": "https://schema.org",
    "@type": "ImageObject",
    ...(creator.length === 0 ? {} : { creator: creator.map((name) => ({ "@type": "Person", name })) }),
    ...Object.fromEntries(stated),
  };
}

function texts(said: readonly string[] | undefined): string[] {
  return (said ?? []).map((text) => text.trim()).filter((text) => text !== "" && text.length <= MOST_TEXT);
}

/** Data sets of record 2 (IPTC-IIM 4.2): by-line, credit, copyright notice. */
const IIM_NAMES: Readonly<Record<number, keyof CreditLine>> = {
  80: "creator",
  110: "creditText",
  116: "copyrightNotice",
};

function readIimCredit(iim: Uint8Array): Said {
  const said: Said = {};
  for (const { record, dataSet, value } of dataSets(iim)) {
    const name = record === 2 ? IIM_NAMES[dataSet] : undefined;
    if (name !== undefined) (said[name] ??= []).push(utf8OrLatin1(value));
  }
  return said;
}

function* dataSets(
  iim: Uint8Array,
): Iterable<{ readonly record: number; readonly dataSet: number; readonly value: Uint8Array }> {
  const view = new DataView(iim.buffer, iim.byteOffset, iim.byteLength);
  for (let at = 0; at + 5 <= iim.length && view.getUint8(at) === 0x1c; ) {
    const end = at + 5 + view.getUint16(at + 3);
    if (end > iim.length) return;
    yield { record: view.getUint8(at + 1), dataSet: view.getUint8(at + 2), value: iim.subarray(at + 5, end) };
    at = end;
  }
}

/** Many programs write UTF-8 without saying so, and none of their Latin-1 is valid UTF-8 by chance. */
function utf8OrLatin1(bytes: Uint8Array): string {
  try {
    return fromUtf8(bytes);
  } catch {
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  }
}
