import { toUtf8 } from "@colophon/formats";
import { describe, expect, it } from "vitest";
import { creditLine } from "../src/index.ts";

/** An XMP packet that credits a picture, beside a property whose value is so many elements in each other. */
function packet(depth: number): Uint8Array {
  return toUtf8(
    `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="x:">` +
      `<r:Description xmlns:p="http://ns.adobe.com/photoshop/1.0/" p:Credit="Harbour Press">` +
      `${"<x:a>".repeat(depth)}${"</x:a>".repeat(depth)}</r:Description></r:RDF>`,
  );
}

describe("an XMP packet", () => {
  it("credits a picture, whatever else it says some levels deep", () => {
    expect(creditLine({ xmp: packet(30), iim: null })).toMatchObject({ creditText: "Harbour Press" });
  });

  it("is left alone where its elements are nested without end", () => {
    const before = process.cpuUsage().user;
    expect(creditLine({ xmp: packet(40_000), iim: null })).toBe(null);
    expect(process.cpuUsage().user - before).toBeLessThan(1_000_000);
  });
});
