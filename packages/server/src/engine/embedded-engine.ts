import type { Examination, ImageEngine } from "@colophon/engine";
import { sql } from "kysely";
import type { PixelBuffer } from "../custody/pixel-buffer.ts";
import type { Vault } from "../keys/vault.ts";
import type { Database, Write } from "../store/database.ts";
import { deleteFeatures, insertPostings, retrieveCandidates } from "../store/match-index.ts";
import { liveOriginalByImage, liveOriginalsByNumber, liveOriginalsByPixels } from "../store/originals.ts";
import type { Checked, Declined, Engine, Extraction, MatchedOriginal, NotYet, Published } from "./port.ts";

/** The engine of this build: worker threads for the pictures, PostgreSQL for the index, packets sealed at rest. */
export class EmbeddedEngine implements Engine {
  readonly #images: ImageEngine;
  readonly #database: Database;
  readonly #packets: Vault;

  constructor(images: ImageEngine, database: Database, packets: Vault) {
    this.#images = images;
    this.#database = database;
    this.#packets = packets;
  }

  assertConfigured(): void {}

  async check(image: PixelBuffer, purpose: "registration" | "lookup"): Promise<Checked | Declined | NotYet> {
    const identical = await liveOriginalByImage(this.#database, image.imageHash);
    if (identical) return { outcome: "checked", matches: [identical], extraction: null };
    const examined = await this.#images.examine(image.bytes, purpose);
    if (examined.outcome === "busy") return notYet(examined.retryAfterSeconds);
    if (examined.outcome === "declined") return examined;
    using examination = examined;
    const matches = await this.#compare(examination);
    if ("outcome" in matches) return matches;
    const extraction = matches.length === 0 ? this.#extraction(image, examination) : null;
    return { outcome: "checked", matches, extraction };
  }

  async publish(
    write: Write,
    accountId: string,
    extraction: Extraction,
  ): Promise<Published | MatchedOriginal> {
    const inserted = await write
      .insertInto("original")
      .values({
        original_image_hash: extraction.originalImageHash,
        image_hash: extraction.imageHash,
        pixel_hash: extraction.pixelHash,
        account_id: accountId,
        taken_down_at: null,
      })
      // Waits for a registration of the same bytes that is under way, and yields to it.
      .onConflict((conflict) => conflict.column("image_hash").where("taken_down_at", "is", null).doNothing())
      .returning("image_no")
      .executeTakeFirst();
    if (!inserted) {
      const winner = await liveOriginalByImage(write, extraction.imageHash);
      if (!winner) throw new Error("An original conflicts with one that is not there.");
      return winner;
    }
    const imageNo = inserted.image_no;
    await sql`insert into feature (image_no, packet_version, packet, words) values (${imageNo},
      ${extraction.packetVersion}, ${extraction.packet}, ${[...extraction.words]}::int[])`.execute(write);
    await insertPostings(write, imageNo, extraction.words);
    return { imageNo, identical: false };
  }

  withdraw(write: Write, imageNo: number): Promise<void> {
    return deleteFeatures(write, imageNo);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#images[Symbol.asyncDispose]();
  }

  /** The same pixels first, then what shares enough features to be compared in full. */
  async #compare(examination: Examination): Promise<readonly MatchedOriginal[] | NotYet> {
    const samePixels = await liveOriginalsByPixels(this.#database, examination.pixelHash);
    if (samePixels.length > 0) return samePixels;
    const candidates = await retrieveCandidates(this.#database, examination.queryWords);
    if (candidates.length === 0) return [];
    const opened = candidates.map(({ imageNo, sealed }) => ({
      id: imageNo,
      packet: this.#packets.open(sealed, PACKET_SEAL),
    }));
    const answer = await this.#images.match(examination, opened);
    if (answer.outcome === "busy") return notYet(answer.retryAfterSeconds);
    return liveOriginalsByNumber(this.#database, answer.ids);
  }

  #extraction(image: PixelBuffer, { original, contentHash, pixelHash }: Examination): Extraction | null {
    if (!original) return null;
    return {
      originalImageHash: Buffer.from(contentHash),
      imageHash: image.imageHash,
      pixelHash: Buffer.from(pixelHash),
      packet: this.#packets.seal(original.packet, PACKET_SEAL),
      packetVersion: original.version,
      words: original.words,
    };
  }
}

const PACKET_SEAL = "registration packet";

function notYet(retryAfterSeconds: number): NotYet {
  return { outcome: "notYet", retryAfterSeconds };
}
