import { sql } from "kysely";
import { afterAll, expect, it } from "vitest";
import { listsOf } from "../../src/store/index/packed-lists.ts";
import { IndexDatabase } from "../support/index-database.ts";

const index = await IndexDatabase.start();

afterAll(() => index[Symbol.asyncDispose]());

const GIVEN = `(values (7, 300), (-7, 16777216), (7, 5), (7, 16777215), (7, 40000000), (7, 33554432), (-7, 2147483647))
  as given (word, image_no)`;

it("lists hold the numbers of their word in order, of one block of 16,777,216 numbers each", async () => {
  const { rows } = await sql<{ word: number; listed: number[] }>`
    select word, array(select listed_numbers(begins_at, numbers)) as listed
    from (${sql.raw(listsOf(GIVEN))}) as list order by word, begins_at`.execute(index.database);
  expect(rows.map(({ word, listed }) => [word, ...listed])).toEqual([
    [-7, 16_777_216],
    [-7, 2_147_483_647],
    [7, 5, 300, 16_777_215],
    [7, 33_554_432, 40_000_000],
  ]);
});

it.each([
  [300, [5, 16_777_215]],
  [5, [300, 16_777_215]],
  [16_777_215, [5, 300]],
  [301, [5, 300, 16_777_215]],
])("a list without %i has what else it had", async (gone, left) => {
  const { rows } = await sql<{ left: number[] }>`
    select array(select listed_numbers(5, numbers_without(numbers, ${gone}))) as left
    from (${sql.raw(listsOf(GIVEN))}) as list where begins_at = 5`.execute(index.database);
  expect(rows[0]?.left).toEqual(left);
});
