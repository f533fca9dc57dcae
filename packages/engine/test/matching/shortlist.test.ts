import { expect, it } from "vitest";
import { type Random, seededRandom } from "@colophon/testing/pictures.ts";
import { LIMITS } from "../../src/matching/limits.ts";
import { MAX_SHORTLISTED, type PartCandidate, shortlist } from "../../src/matching/shortlist.ts";
import { type StoredOriginal, wordTag } from "../../src/packet/original.ts";
import { encodeRankingPart, RankingPart } from "../../src/packet/ranking-part.ts";
import { examineQuery, registerOriginal, scene } from "./pictures.ts";

const { surelyShortlisted } = LIMITS.pipeline;
/** Words that a candidate of chance shares with the query. */
const SHARED = 3;
const BY_CHANCE = 60;
/** More than are read whatever their votes. */
const COPIES = 12;

/** The part of an original that has some words, at places of another one. */
function partOf(original: StoredOriginal, words: Int32Array): RankingPart {
  const part = RankingPart.read(encodeRankingPart(original, words));
  if (part === null) throw new Error("A ranking part can be read.");
  return part;
}

function byChance(original: StoredOriginal, asked: Int32Array, random: Random): RankingPart {
  const words = Int32Array.from({ length: SHARED }, () => asked[Math.floor(asked.length * random())]!);
  const placing = { ...original.placing, count: SHARED };
  return partOf({ ...original, placing, wordTags: Uint16Array.from(words, wordTag) }, words);
}

it("reads what has votes, and a few of those that have none: the first by votes and by words", async () => {
  const random = seededRandom(3);
  const { original, words } = await registerOriginal(1, await scene(41));
  const other = (await registerOriginal(2, await scene(43))).original;
  const { query } = await examineQuery(await scene(41));
  const asked = query.probes.filter((word) => word >= 0);
  const chance = Array.from({ length: BY_CHANCE }, (_, id): PartCandidate => {
    return { id, part: byChance(other, asked, random) };
  });
  const copies = Array.from({ length: COPIES }, (_, n): PartCandidate => {
    return { id: BY_CHANCE + n, part: partOf(original, words) };
  });
  const sharingMost = chance.slice(0, surelyShortlisted).map(({ id }) => id);

  const among = shortlist(query, [...chance, ...copies]);
  expect(among.slice(0, COPIES)).toEqual(copies.map(({ id }) => id));
  expect(among.slice(COPIES).toSorted((a, b) => a - b)).toEqual(sharingMost);

  const alone = shortlist(query, chance);
  expect(alone).toEqual(expect.arrayContaining(sharingMost));
  expect(alone.length).toBeLessThanOrEqual(2 * surelyShortlisted);
  expect(alone.length).toBeLessThan(MAX_SHORTLISTED);
});
