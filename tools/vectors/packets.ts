import { readFileSync } from "node:fs";
import { sha256, toBase64, toHex, toUtf8 } from "@colophon/formats";
import {
  decodePacket,
  examineImage,
  loadVocabulary,
  PACKET_VERSION,
  restrictDecoders,
  openVocabulary,
  VOCABULARY_VERSION,
} from "@colophon/engine/lab";

const SAMPLES = ["scene.jpg", "scene-crop.jpg"] as const;
const ACCEPTED_TYPES = ["image/jpeg"];

/** The key of the vectors' packets; published, so good for nothing else. */
export const packetKey: Uint8Array = sha256(toUtf8("colophon vector packet key"));

/** The whole registration packet of each sample picture, as this thread makes it. */
export async function packetVectors(): Promise<object> {
  restrictDecoders(ACCEPTED_TYPES);
  const examiner = {
    decode: { acceptedTypes: ACCEPTED_TYPES, maxImagePixels: 10_000_000 },
    vocabulary: openVocabulary(loadVocabulary()),
    packetKey,
  };
  const packets = [];
  for (const name of SAMPLES) {
    const image = readFileSync(new URL(`../../vectors/pictures/${name}`, import.meta.url));
    const { original } = await examineImage(image, "registration", examiner);
    if (original === null) throw new Error(`${name} gave no packet.`);
    packets.push({
      file: `vectors/pictures/${name}`,
      packetId: toHex(decodePacket(original.packet).packetId),
      sha256: toHex(sha256(original.packet)),
      packet: toBase64(original.packet),
    });
  }
  return {
    packetVersion: PACKET_VERSION,
    vocabularyVersion: VOCABULARY_VERSION,
    packetKey: toHex(packetKey),
    packets,
  };
}
