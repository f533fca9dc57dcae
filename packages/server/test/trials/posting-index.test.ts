import { expect, it } from "vitest";
import { seededRandom } from "@colophon/testing/pictures.ts";
import { PostingIndex } from "../../../../bench/matching/registered/posting-index.ts";
import { retrieveCandidates } from "../../src/store/index/match-index.ts";
import { IndexDatabase } from "../support/index-database.ts";

const ORIGINALS = 600;
const WORDS = 60;

it("names the candidates that the service names, in its order", async () => {
  const random = seededRandom(12);
  /** A few words are common and most are rare, some of them negative. */
  const drawn = (): Int32Array =>
    Int32Array.from({ length: WORDS }, () => Math.floor(3_000 * random() ** 3) - 40);
  const filed = Array.from({ length: ORIGINALS }, () => new Set(drawn()));
  await using stored = await IndexDatabase.start();
  await stored.register(filed.map((words) => [...words]));
  const index = new PostingIndex();
  for (const [id, words] of filed.entries()) index.add(id, Int32Array.from(words));
  const apartFrom = new Set([3, 5]);
  for (let query = 0; query < 20; query += 1) {
    const words = Int32Array.from(new Set(drawn()));
    const named = await retrieveCandidates(
      stored.database,
      words,
      new Set([...apartFrom].map((id) => id + 1)),
    );
    expect(named).toHaveLength(256);
    expect(index.candidates(words, apartFrom)).toEqual(named.map(({ imageNo }) => imageNo - 1));
  }
});
