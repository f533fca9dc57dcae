import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fromHex, type JumbfBox, readJumbf, toHex, toUtf8, wrapJson } from "../src/index.ts";

const STORE = "63327061-0011-0010-8000-00aa00389b71".replaceAll("-", "");

function box(type: string, ...parts: Uint8Array[]): Uint8Array {
  const content = Buffer.concat(parts);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + content.length);
  header.write(type, 4, "latin1");
  return Uint8Array.from(Buffer.concat([header, content]));
}

function superbox(label: string, ...children: Uint8Array[]): Uint8Array {
  const description = box("jumd", fromHex(STORE), Uint8Array.of(3), toUtf8(`${label}\0`));
  return box("jumb", description, ...children);
}

function outline({ type, description, children }: JumbfBox): unknown {
  return description === null ? type : [description.label, children.map(outline)];
}

test("a store is read box by box, with labels and places", () => {
  const claim = superbox("c2pa.claim", box("cbor", Uint8Array.of(0xa0)));
  const store = superbox("c2pa", superbox("urn:c2pa:1", wrapJson("stds.exif", toUtf8("{}")), claim));
  const { boxes, complete } = readJumbf(store);
  expect(complete).toBe(true);
  expect(boxes.map(outline)).toEqual([
    [
      "c2pa",
      [
        [
          "urn:c2pa:1",
          [
            ["stds.exif", ["json"]],
            ["c2pa.claim", ["cbor"]],
          ],
        ],
      ],
    ],
  ]);
  const [root] = boxes;
  expect(root?.description?.contentType).toBe(STORE);
  expect([root?.offset, root?.length]).toEqual([0, store.length]);
  const cbor = root?.children[0]?.children[1]?.children[0];
  expect(toHex(cbor?.content ?? new Uint8Array())).toBe("a0");
  expect(toHex(store.subarray(cbor?.offset))).toBe("0000000963626f72a0");
});

test("of a broken store what stands before the break is answered", () => {
  const store = superbox("c2pa", box("json", toUtf8("{}")), box("cbor", Uint8Array.of(1, 2, 3)));
  const last = store.length - 11;
  const broken = Uint8Array.from(store);
  broken[last + 3] = 200;
  const { boxes, complete } = readJumbf(broken);
  expect(complete).toBe(false);
  expect(boxes.map(outline)).toEqual([["c2pa", ["json"]]]);
  expect(readJumbf(box("jumb", box("json")))).toMatchObject({ complete: false, boxes: [{ children: [] }] });
});

test("neither depth nor number of boxes goes beyond the bounds", () => {
  const many = superbox("c2pa", ...Array.from({ length: 50 }, () => box("free")));
  const some = readJumbf(many, { boxes: 10, depth: 4 });
  expect(some.complete).toBe(false);
  expect(some.boxes[0]?.children).toHaveLength(9);
  let deep = superbox("end");
  for (let level = 0; level < 10; level += 1) deep = superbox("level", deep);
  expect(readJumbf(deep).complete).toBe(true);
  expect(readJumbf(deep, { boxes: 100, depth: 5 }).complete).toBe(false);
});

test("arbitrary bytes are answered, never thrown", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(), (bytes, at) => {
      const store = superbox("c2pa", superbox("a", box("json", toUtf8("{}"))), box("cbor"));
      store.set(bytes.subarray(0, Math.max(0, store.length - (at % store.length))), at % store.length);
      expect(readJumbf(store).boxes).toBeInstanceOf(Array);
      expect(readJumbf(bytes).boxes).toBeInstanceOf(Array);
    }),
  );
});
