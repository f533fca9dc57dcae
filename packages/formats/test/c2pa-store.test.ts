import { box, softBindingCbor, superbox, unsignedStore } from "@colophon/testing/credentials/c2pa-store.ts";
import * as fc from "fast-check";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  concat,
  embeddedMetadata,
  fromHex,
  opensWithC2paStore,
  readC2paStore,
  readJumbf,
  toHex,
  toUtf8,
  uint16,
  uint32,
} from "../src/index.ts";

const text = toUtf8;

function inflate(bytes: Uint8Array): Uint8Array | null {
  try {
    return Uint8Array.from(brotliDecompressSync(bytes, { maxOutputLength: 65_536 }));
  } catch {
    return null;
  }
}

function read(bytes: Uint8Array): ReturnType<typeof readC2paStore> {
  return readC2paStore(bytes, inflate);
}

const STORE = unsignedStore([
  { label: "urn:c2pa:ingredient", softBindings: [{ alg: "old", values: [text("old")] }] },
  {
    label: "urn:c2pa:active",
    softBindings: [
      { alg: "com.example.mark.1", values: [text("one"), text("two")] },
      { alg: "com.example.mark.2", values: [text("three")] },
    ],
  },
]);

/** The bytes of a store's first manifest. */
function manifestIn(store: Uint8Array): Uint8Array {
  const { offset = 0, length = 0 } = readJumbf(store).boxes[0]?.children[0] ?? {};
  return store.subarray(offset, offset + length);
}

/** A store whose one manifest is compressed. */
function compressed(label: string, manifest: Uint8Array): Uint8Array {
  return superbox("c2pa", "c2pa", superbox("c2cm", label, box("brob", brotliCompressSync(manifest))));
}

describe("a compressed manifest", () => {
  test("says what the manifest within does", () => {
    const plain = unsignedStore([{ label: "urn:c2pa:a", softBindings: [{ alg: "m", values: [text("v")] }] }]);
    expect(read(compressed("urn:c2pa:a", manifestIn(plain)))).toEqual(read(plain));
  });

  test.each<[string, Uint8Array]>([
    ["of another label", compressed("urn:c2pa:b", manifestIn(unsignedStore([{ label: "urn:c2pa:a" }])))],
    ["that grows beyond the bound", compressed("urn:c2pa:a", new Uint8Array(1_000_000))],
    ["of something else", compressed("urn:c2pa:a", superbox("c2as", "urn:c2pa:a"))],
    ["within a compressed one", compressed("a", superbox("c2cm", "a", box("brob")))],
    ["that is not Brotli", superbox("c2pa", "c2pa", superbox("c2cm", "a", box("brob", text("none"))))],
    ["without content", superbox("c2pa", "c2pa", superbox("c2cm", "a"))],
  ])("is no store: %s", (_, bytes) => {
    expect(read(bytes)).toBeNull();
  });
});

describe("a store", () => {
  test("is named by its last manifest, which says how it is found again", () => {
    expect(read(STORE)).toEqual({
      activeLabel: "urn:c2pa:active",
      softBindings: [
        { alg: "com.example.mark.1", value: text("one") },
        { alg: "com.example.mark.1", value: text("two") },
        { alg: "com.example.mark.2", value: text("three") },
      ],
    });
    expect(read(unsignedStore([{ label: "urn:c2pa:bare" }]))?.softBindings).toEqual([]);
  });

  test("may state a value as a text, of which the UTF-8 is the value", () => {
    const store = unsignedStore([{ label: "a", softBindings: [{ alg: "m", values: ["2*10\u00e9"] }] }]);
    expect(read(store)?.softBindings).toEqual([{ alg: "m", value: text("2*10\u00e9") }]);
  });

  test("may name the algorithm in its claim, for assertions that name none", () => {
    const softBindings = [{ values: [text("one")] }, { alg: "own", values: [text("two")] }];
    expect(read(unsignedStore([{ label: "a", softBindings, softAlg: "of.claim" }]))?.softBindings).toEqual([
      { alg: "of.claim", value: text("one") },
      { alg: "own", value: text("two") },
    ]);
    expect(read(unsignedStore([{ label: "a", softBindings }]))).toBeNull();
    expect(read(unsignedStore([{ label: "a", softBindings, softAlg: "" }]))).toBeNull();
  });

  test("has room for thousands of items that mean nothing", () => {
    for (const assertions of [[padded(4_089)], [padded(2_041), padded(2_041)]]) {
      expect(read(storeWith(...assertions))).toEqual({ activeLabel: "urn:c2pa:a", softBindings: [] });
    }
  });

  test.each<[string, Uint8Array]>([
    ["cut short", STORE.subarray(0, -1)],
    ["with bytes after it", concat(STORE, Uint8Array.of(0))],
    ["two of them", concat(STORE, STORE)],
    ["of another content type", superbox("json", "c2pa", superbox("c2ma", "urn:c2pa:a"))],
    ["without a manifest", superbox("c2pa", "c2pa", superbox("c2as", "c2pa.assertions"))],
    ["without a label", unsignedStore([{ label: "" }])],
    ["a label beyond its bound", unsignedStore([{ label: "x".repeat(513) }])],
    ["a label with a line break", unsignedStore([{ label: "a\nb" }])],
    ["CBOR that is none", storeWith(fromHex("9f"))],
    ["a binding that is no map", storeWith(fromHex("80"))],
    ["an algorithm without a name", storeWith(softBindingCbor("", [text("v")]))],
    ["a value beyond its bound", storeWith(softBindingCbor("a", [new Uint8Array(16_385)]))],
    [
      "too many bindings",
      storeWith(
        softBindingCbor(
          "a",
          Array.from({ length: 257 }, () => text("v")),
        ),
      ),
    ],
    ["more items than its bound", storeWith(padded(4_090))],
    ["as many in two assertions", storeWith(padded(2_045), padded(2_045))],
    ["nothing", new Uint8Array()],
  ])("is not read: %s", (_, bytes) => {
    expect(read(bytes)).toBeNull();
  });

  test("mutated, it is read or not read, and never throws", () => {
    fc.assert(
      fc.property(fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 12 }), fc.nat(), (at, bytes, cut) => {
        const mutated = Uint8Array.from(STORE);
        mutated.set(bytes.subarray(0, mutated.length), at % (mutated.length - bytes.length));
        const store = read(mutated.subarray(0, mutated.length - (cut % 3)));
        expect(store === null || store.activeLabel.length > 0).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

function storeWith(...assertions: readonly Uint8Array[]): Uint8Array {
  const boxes = assertions.map((cbor) => superbox("cbor", "c2pa.soft-binding", box("cbor", cbor)));
  return superbox("c2pa", "c2pa", superbox("c2ma", "urn:c2pa:a", superbox("c2as", "a", ...boxes)));
}

/** CBOR of `{alg: "a", blocks: [], pad: [0, ...]}`: so many items, and seven more. */
function padded(items: number): Uint8Array {
  const pad = concat(Uint8Array.of(0x99), uint16(items), new Uint8Array(items));
  return concat(fromHex("a363616c67616166626c6f636b738063706164"), pad);
}

/** The APP11 segments of a box, `size` bytes of it in each. */
function app11(jumbf: Uint8Array, size: number, instance = 1): Uint8Array {
  const body = jumbf.subarray(8);
  const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, i) => {
    const piece = concat(jumbf.subarray(0, 8), body.subarray(i * size, (i + 1) * size));
    return segment(0xeb, concat(text("JP"), uint16(instance), uint32(i + 1), piece));
  });
  return concat(...pieces);
}

function segment(marker: number, content: Uint8Array): Uint8Array {
  return concat(Uint8Array.of(0xff, marker), uint16(2 + content.length), content);
}

const XMP = text("<x:xmpmeta/>");
const IIM = fromHex("1c02500003426f62");
const photoshop = concat(
  text("Photoshop 3.0\0"),
  concat(text("8BIM"), uint16(0x0425), uint16(0), uint32(1), fromHex("0700")),
  concat(text("8BIM"), uint16(0x0404), uint16(0), uint32(IIM.length), IIM),
);

function jpeg(...segments: Uint8Array[]): Uint8Array {
  return concat(fromHex("ffd8"), ...segments, fromHex("ffda0002"), fromHex("00ffd9"));
}

function chunk(type: string, content: Uint8Array): Uint8Array {
  return concat(uint32(content.length), text(type), content, uint32(0));
}

const PNG_HEAD = fromHex("89504e470d0a1a0a");

function png(...chunks: Uint8Array[]): Uint8Array {
  return concat(PNG_HEAD, chunk("IHDR", new Uint8Array(13)), ...chunks, chunk("IEND", new Uint8Array()));
}

function riff(type: string, content: Uint8Array): Uint8Array {
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, content.length, true);
  return concat(text(type), size, content, new Uint8Array(content.length % 2));
}

function webp(...chunks: Uint8Array[]): Uint8Array {
  return riff("RIFF", concat(text("WEBP"), ...chunks));
}

const FILES: readonly [string, Uint8Array][] = [
  [
    "JPEG",
    jpeg(
      segment(0xe1, concat(text("http://ns.adobe.com/xap/1.0/\0"), XMP)),
      app11(box("jumb", box("jumd", fromHex("6a736f6e00110010800000aa00389b7100"))), 10, 7),
      app11(STORE, 50, 2),
      segment(0xed, photoshop),
    ),
  ],
  ["PNG", png(chunk("iTXt", concat(text("XML:com.adobe.xmp\0\0\0\0\0"), XMP)), chunk("caBX", STORE))],
  ["WebP", webp(riff("VP8X", new Uint8Array(9)), riff("XMP ", XMP), riff("C2PA", STORE))],
];

describe("a picture's file", () => {
  test.each(FILES)("%s gives its store and its XMP packet", (type, file) => {
    const { c2paStore, xmp, iim } = embeddedMetadata(file);
    expect(toHex(c2paStore ?? new Uint8Array())).toBe(toHex(STORE));
    expect(toHex(xmp ?? new Uint8Array())).toBe(toHex(XMP));
    expect(iim && toHex(iim)).toBe(type === "JPEG" ? toHex(IIM) : null);
  });

  test("that carries nothing, or is no picture, gives nothing", () => {
    const nothing = { c2paStore: null, xmp: null, iim: null };
    for (const file of [jpeg(), png(), webp(), text("GIF89a"), new Uint8Array()]) {
      expect(embeddedMetadata(file)).toEqual(nothing);
    }
    const swapped = jpeg(app11(STORE.subarray(0, 200), 50));
    expect(embeddedMetadata(swapped).c2paStore).toBeNull();
  });

  test.each(FILES)("%s mutated or cut short never throws", (_, file) => {
    fc.assert(
      fc.property(fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 8 }), fc.nat(), (at, bytes, cut) => {
        const mutated = Uint8Array.from(file);
        mutated.set(bytes, at % (mutated.length - bytes.length));
        const { c2paStore } = embeddedMetadata(mutated.subarray(0, mutated.length - (cut % 100)));
        expect(c2paStore === null || opensWithC2paStore(c2paStore)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
