import { toUtf8 } from "@colophon/formats";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  checkpointText,
  parseAddCheckpoint,
  parseCheckpoint,
  parseEntry,
  parseLogProof,
  parseNote,
  parseVkey,
  readBundle,
  writeAddCheckpoint,
  writeBundle,
  writeEntry,
  writeLogProof,
} from "../src/index.ts";

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
const count = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const checkpoint = "log.example\n1\nAAAA\n\n— log.example AAAAAAA=\n";

test("what is written is read again", () => {
  fc.assert(
    fc.property(
      hash,
      count,
      fc.array(hash, { maxLength: 63 }),
      fc.boolean(),
      (extra, index, hashes, bare) => {
        const proof = { extra: bare ? null : extra, index, hashes, checkpoint };
        expect(parseLogProof(writeLogProof(proof))).toEqual(proof);
        const request = { oldSize: index, hashes, checkpoint };
        expect(parseAddCheckpoint(writeAddCheckpoint(request))).toEqual(request);
        const head = { origin: "log.example/2", size: index, root: extra };
        expect(parseCheckpoint(checkpointText(head))).toEqual(head);
        const at = new Date(Math.floor(index / 2 ** 13 / 1000) * 1000);
        const entry = { kind: "published", at, commitment: extra } as const;
        expect(parseEntry(writeEntry(entry))).toEqual(entry);
      },
    ),
  );
});

test("bundles hold entries of any length, and are read to their last byte", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 6 }), (entries) => {
      const bundle = writeBundle(entries);
      expect(readBundle(bundle).map((entry) => [...entry])).toEqual(entries.map((entry) => [...entry]));
      for (const cut of [
        new Uint8Array([...bundle, 0]),
        ...(bundle.length > 0 ? [bundle.slice(0, -1)] : []),
      ]) {
        expect(() => readBundle(cut)).toThrow(SyntaxError);
      }
    }),
  );
  expect(readBundle(writeBundle([new Uint8Array(65_535)]))[0]).toHaveLength(65_535);
  expect(() => writeBundle([new Uint8Array(65_536)])).toThrow(RangeError);
});

function thrownBy(reader: (text: string) => unknown, text: string): unknown {
  try {
    reader(text);
  } catch (error) {
    return error instanceof SyntaxError ? null : error;
  }
  return null;
}

test("whatever is no such text is refused as one", () => {
  const texts = [
    checkpoint,
    writeLogProof({ extra: null, index: 1, hashes: [], checkpoint }),
    "old 1\n\n",
    "a+b+c",
  ];
  const damaged = fc
    .tuple(
      fc.constantFrom(...texts),
      fc.nat(),
      fc.constantFrom("", "\n", "\r", "\0", " ", "\u0085", "\ud800", "😀", "—", "=", "+", "9"),
    )
    .map(
      ([text, at, insert]) => text.slice(0, at % text.length) + insert + text.slice((at % text.length) + 1),
    );
  const readers = [parseNote, parseCheckpoint, parseLogProof, parseAddCheckpoint, parseVkey];
  fc.assert(
    fc.property(fc.oneof(fc.string(), damaged), (text) => {
      const thrown = [...readers, (of: string) => parseEntry(toUtf8(of))].map((one) => thrownBy(one, text));
      expect(thrown.filter((error) => error !== null)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
