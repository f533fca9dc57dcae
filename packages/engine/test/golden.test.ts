import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { packetKey } from "../../../tools/vectors/packets.ts";
import { restrictDecoders } from "../src/image/coded/decode.ts";
import { examineImage } from "../src/examine/examine-image.ts";
import { openImageEngine } from "../src/worker/open-image-engine.ts";
import { decodePacket, PACKET_VERSION } from "../src/packet/registration-packet.ts";
import { openVocabulary } from "../src/words/vocabulary.ts";
import { loadVocabulary, VOCABULARY_VERSION } from "../src/learned/vocabulary-file.ts";

// Those of every test that decodes in its own process: files share one, and what one of them restricts holds for the
// next.
const acceptedTypes = ["image/jpeg", "image/png", "image/webp"];
restrictDecoders(acceptedTypes);
const examiner = {
  decode: { acceptedTypes, maxImagePixels: 10_000_000 },
  vocabulary: openVocabulary(loadVocabulary()),
  packetKey: new Uint8Array(32),
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const digest = (...parts: NodeJS.TypedArray[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex");

async function describeSample(name: string): Promise<object> {
  const file = readFileSync(new URL(`../../../vectors/pictures/${name}`, import.meta.url));
  const { contentHash, pixelHash, original, queryWords } = await examineImage(file, "registration", examiner);
  const { features, wordTags } = decodePacket(original!.packet);
  const { width, height, count, x, y, size, angle, bits } = features;
  return {
    file: `vectors/pictures/${name}`,
    contentHash: hex(contentHash),
    pixelHash: hex(pixelHash),
    raster: [width, height],
    points: count,
    strongest: Array.from({ length: 3 }, (_, i) => ({
      place: [x[i], y[i]],
      bits: hex(new Uint8Array(bits.slice(4 * i, 4 * i + 4).buffer)),
    })),
    places: digest(x, y, size, angle),
    bits: digest(bits, wordTags),
    words: digest(original!.words.filter((word) => word >= 0)),
    query: digest(queryWords.filter((word) => word >= 0)),
  };
}

// Run with -u after a change that is meant to alter what is extracted, together with a new packet version.
it("extracts from the samples what it did on other machines and in earlier versions", async () => {
  const samples = [];
  for (const name of ["scene.jpg", "scene-crop.jpg"]) samples.push(await describeSample(name));
  const golden = { packetVersion: PACKET_VERSION, vocabularyVersion: VOCABULARY_VERSION, samples };
  await expect(`${JSON.stringify(golden, null, 2)}\n`).toMatchFileSnapshot("../../../vectors/features.json");
});

it("makes in a worker, to the byte, the packets that the vectors hold", async () => {
  const { packets } = JSON.parse(
    readFileSync(new URL("../../../vectors/packets.json", import.meta.url), "utf8"),
  ) as { readonly packets: readonly { readonly file: string; readonly packet: string }[] };
  await using engine = await openImageEngine({
    places: 1,
    queueLimit: 1,
    maxImagePixels: 10_000_000,
    acceptedTypes,
    packetKey,
  });
  for (const { file, packet } of packets) {
    const bytes = readFileSync(new URL(`../../../${file}`, import.meta.url));
    const examined = await engine.examine([bytes], "registration", "somebody");
    if (examined.outcome !== "examined") throw new Error(`${file} was not examined.`);
    using examination = examined;
    expect(Buffer.from(examination.original?.packet ?? []).toString("base64")).toBe(packet);
  }
  expect(packets).toHaveLength(2);
});
