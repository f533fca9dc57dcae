import { flipped, pick } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import {
  type Change,
  type Container,
  numberAt,
  hostileSide,
  type Part,
  withField,
  withPart,
} from "./parts.ts";

/** Boxes that hold boxes, and the bytes before the first of them. */
const HOLDERS: Readonly<Record<string, number>> = { meta: 4, iprp: 0, ipco: 0, iinf: 6, dinf: 0, iref: 4 };

/** AVIF as the boxes of ISO/IEC 14496-12; `meta` and what it holds are changed in place, sizes made to fit. */
export const avif: Container = {
  parse: boxes,
  write: (parts) => Buffer.concat(parts.map(box)),
  kinds: [
    "ftyp",
    "meta",
    "mdat",
    "moov",
    "free",
    "hdlr",
    "pitm",
    "iloc",
    "iinf",
    "iprp",
    "ispe",
    "av1C",
    "colr",
    "irot",
  ],
  changes: {
    dimensions: within("ispe", (random, body) => {
      const at = pick(random, [4, 8]);
      return withField(body, at, 4, hostileSide(random, numberAt(body, at, 4)));
    }),
    "place of the data": within("iloc", numbers),
    "primary item": within("pitm", numbers),
    "codec setting": within("av1C", (random, body) => flipped(random, body, 1)),
    "properties of items": within("ipma", numbers),
    "coded data": (random, parts) =>
      withPart(random, parts, ["mdat"], (part) => ({ ...part, body: flipped(random, part.body, 12) })),
    "inner box dropped": (random, parts) => changed(random, parts, null, () => null),
    "inner box doubled": (random, parts) => changed(random, parts, null, (part) => [part, part]),
    "inner box renamed": (random, parts) =>
      changed(random, parts, null, (part) => [
        { ...part, kind: pick(random, ["ispe", "iprp", "grid", "irot", "auxC", "free"]) },
      ]),
    "inner length lied": (random, parts) =>
      changed(random, parts, null, (part) => [
        { ...part, claimed: pick(random, [0, 1, 7, 8, 9, 0x7fffffff, 0xffffffff]) },
      ]),
  },
};

function boxes(file: Buffer): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at + 8 <= file.length; ) {
    const size = file.readUInt32BE(at);
    const end = size < 8 ? file.length : at + size;
    parts.push({ kind: file.toString("latin1", at + 4, at + 8), body: file.subarray(at + 8, end) });
    at = end;
  }
  return parts;
}

function box({ kind, body, claimed }: Part): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(claimed ?? body.length + 8);
  head.write(kind, 4, "latin1");
  return Buffer.concat([head, body]);
}

/** Changes one inner box: of `kind`, or any where that is null. */
function changed(
  random: Random,
  parts: readonly Part[],
  kind: string | null,
  change: (part: Part) => readonly Part[] | null,
): readonly Part[] {
  const count = innerBoxes(parts, kind);
  const chosen = 1 + Math.floor(random() * count);
  let seen = 0;
  const walk = (level: readonly Part[], inner: boolean): Part[] =>
    level.flatMap((part) => {
      if (inner && (kind === null || part.kind === kind)) {
        seen += 1;
        if (seen === chosen) return change(part) ?? [];
      }
      const head = HOLDERS[part.kind];
      if (head === undefined || part.body.length < head) return [part];
      const held = walk(boxes(part.body.subarray(head)), true);
      return [{ ...part, body: Buffer.concat([part.body.subarray(0, head), ...held.map(box)]) }];
    });
  return walk(parts, false);
}

function innerBoxes(parts: readonly Part[], kind: string | null): number {
  return parts.reduce((sum, { kind: holder, body }) => {
    const head = HOLDERS[holder];
    if (head === undefined || body.length < head) return sum;
    const held = boxes(body.subarray(head));
    return sum + held.filter((part) => kind === null || part.kind === kind).length + innerBoxes(held, kind);
  }, 0);
}

function within(kind: string, change: (random: Random, body: Buffer) => Buffer): Change {
  return (random, parts) =>
    changed(random, parts, kind, (part) => [{ ...part, body: change(random, part.body) }]);
}

function numbers(random: Random, body: Buffer): Buffer {
  const value = pick(random, [0, 1, 2, 255, 65_535, 0x7fffffff, 0xffffffff]);
  return withField(body, Math.floor(random() * body.length), pick(random, [1, 2, 4]), value);
}
