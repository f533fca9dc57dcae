import { ServerResponse } from "node:http";
import { Socket } from "node:net";
import { IMAGE_REJECTIONS, Refusal } from "@colophon/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { AddressRanges } from "../../src/config/address-ranges.ts";
import { BodyHold, type ByteBudget } from "../../src/custody/body-budget.ts";
import { CHUNK_BYTES } from "../../src/custody/pixel-chunks.ts";
import { Body } from "../../src/http/body/body.ts";
import { readUpload, type UploadRules } from "../../src/http/body/read-upload.ts";
import { GatheredRequest } from "../../src/http/pace/gathered-request.ts";
import { KnownCallers } from "../../src/http/pace/known-callers.ts";
import { LoopPace } from "../../src/http/pace/loop-pace.ts";
import { RequestPace } from "../../src/http/pace/request-pace.ts";

const LIMITS = {
  acceptedTypes: ["image/jpeg"],
  maxImageBytes: 6_000,
  maxRequestBytes: 16_000,
  maxManifestBytes: { json: 300, jumbf: 300 },
  maxManifestsPerImage: 2,
};
const TO_SLOT: UploadRules = { manifests: true, maxImages: Number.POSITIVE_INFINITY };
const TO_LOOKUP_SLOT: UploadRules = { manifests: false, maxImages: 4 };

/** What one image and its manifests take. */
const MOST_HELD = CHUNK_BYTES + LIMITS.maxManifestsPerImage * LIMITS.maxManifestBytes.json;

/** Memory without a bound, and the most that was taken of it. */
class Counted implements ByteBudget {
  readonly limit: number = Number.POSITIVE_INFINITY;
  #used = 0;
  peak = 0;

  take(bytes: number): void {
    this.#used += bytes;
    this.peak = Math.max(this.peak, this.#used);
  }

  giveBack(bytes: number): void {
    this.#used -= bytes;
  }
}

/** What came of a request: its image parts in their order, then the refusal that ended it. */
interface Read {
  readonly parts: readonly unknown[];
  readonly refusal: string | null;
  readonly peak: number;
}

/** Has a request read that arrives in these pieces. */
async function read(pieces: readonly Uint8Array[], rules: UploadRules): Promise<Read> {
  const request = new GatheredRequest(new Socket());
  request.headers = { "content-type": "multipart/form-data; boundary=b" };
  const memory = new Counted();
  using hold = new BodyHold(memory);
  const pace = new RequestPace(new LoopPace(), new KnownCallers(new AddressRanges([])), request);
  const exchange = { request, response: new ServerResponse(request), pace };
  const body = new Body(exchange, { hold, patience: { silenceMs: 60_000 } });
  const sent = send(request, pieces);
  const parts: unknown[] = [];
  let refusal: string | null = null;
  try {
    for await (const part of readUpload(body, LIMITS, rules)) {
      if ("rejection" in part) {
        parts.push(part);
      } else {
        using image = part.image;
        parts.push({ ...part, image: image.imageHash.toString("hex") });
      }
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refusal = error.message;
  }
  await sent;
  return { parts, refusal, peak: memory.peak };
}

/** Each piece by a read of its own: those of one read are joined. */
async function send(request: GatheredRequest, pieces: readonly Uint8Array[]): Promise<void> {
  for (const piece of pieces) {
    request.push(Buffer.from(piece));
    await new Promise((resolve) => setImmediate(resolve));
  }
  request.push(null);
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const inOrder = places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b);
  const edges = [0, ...inOrder, bytes.length];
  return edges.slice(1).map((end, n) => bytes.subarray(edges[n], end));
}

function partOf(name: string, type: string, body: string): string {
  return `--b\r\nContent-Disposition: form-data; name="${name}"${type}\r\n\r\n${body}\r\n`;
}

const IMAGE = '; filename="a.jpg"\r\nContent-Type: image/jpeg';

const manifest = fc
  .record({
    name: fc.constantFrom("manifest[a]", "manifest[a]", "manifest[a]", "manifest[]"),
    type: fc.constantFrom("application/json", "application/json", "text/plain"),
    body: fc.constantFrom("{}", `{"a":"${"x".repeat(280)}"}`, `{"a":"${"x".repeat(300)}"}`, "{"),
  })
  .map(({ name, type, body }) => partOf(name, `\r\nContent-Type: ${type}`, body));
const image = fc
  .record({
    type: fc.constantFrom(IMAGE, IMAGE, IMAGE, IMAGE.replace("jpeg", "gif")),
    bytes: fc.oneof(fc.constantFrom(0, 5_999, 6_000, 6_001), fc.nat(7_000)),
    fill: fc.constantFrom("\0", "\r\n-", "\r\n--", "\r\n--\r"),
  })
  .map(({ type, bytes, fill }) => partOf("image", type, "".padEnd(bytes, fill)));
const unasked = fc.constant(partOf("other", "", "1"));

/** Bodies of every kind, some of them longer than twice what one may be, some broken off. */
function anyBody({ manifests }: UploadRules): fc.Arbitrary<string> {
  const anyPart = fc.oneof(
    { arbitrary: image, weight: 30 },
    { arbitrary: manifest, weight: manifests ? 20 : 1 },
    { arbitrary: unasked, weight: 1 },
  );
  const end = fc.constantFrom("--b--\r\n", "--b--\r\n", "--b--\r\n", "--b\r\nX", "");
  const parts = fc.array(anyPart, { maxLength: 14, size: "max" });
  return fc.tuple(parts, end).map(([whole, last]) => whole.join("") + last);
}

test.each([
  ["a slot", TO_SLOT],
  ["a look-up slot", TO_LOOKUP_SLOT],
])("an upload to %s comes to the same however it is cut, and holds one image at a time", async (_, rules) => {
  await fc.assert(
    fc.asyncProperty(anyBody(rules), fc.array(fc.nat(100_000), { maxLength: 12 }), async (text, places) => {
      const bytes = Buffer.from(text);
      const whole = await read([bytes], rules);
      const inPieces = await read(cut(bytes, places), rules);
      expect(inPieces).toEqual({ ...whole, peak: expect.any(Number) });
      expect(Math.max(whole.peak, inPieces.peak)).toBeLessThanOrEqual(MOST_HELD);
    }),
    { numRuns: 300 },
  );
});

test("an upload byte by byte comes to the same", async () => {
  const bytes = Buffer.from(
    `${partOf("manifest[a]", "\r\nContent-Type: application/json", "{}")}${partOf("image", IMAGE, "\r\n--")}--b--`,
  );
  const whole = await read([bytes], TO_SLOT);
  expect(whole).toMatchObject({ parts: [{ partIndex: 1, manifests: [{ kind: "a" }] }], refusal: null });
  const inPieces = await read(cut(bytes, [...bytes.keys()]), TO_SLOT);
  expect(inPieces).toEqual(whole);
});

test("of an upload past twice its cap, what is before that is named in whatever piece it comes", async () => {
  const images = Array.from({ length: 9 }, () => partOf("image", IMAGE, "".padEnd(4_000)));
  const bytes = Buffer.from(`${images.join("")}--b--`);
  const { parts } = await read([bytes], TO_SLOT);
  const rejections = parts.map((one) => (one as { rejection?: string }).rejection ?? null);
  const { requestTooLarge } = IMAGE_REJECTIONS;
  expect(rejections).toEqual([null, null, null, ...Array.from({ length: 5 }, () => requestTooLarge)]);
});
