/**
 * The rows of a table, page by page; each is read when the one before has been worked on.
 * @param key the column that orders them
 * @param first what comes before all of its values
 * @param readAfter the next rows after a value, in order; none at the end
 */
export async function* pages<Column extends string, Key, Row extends Readonly<Record<Column, Key>>>(
  key: Column,
  first: Key,
  readAfter: (after: Key) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let after = first; ; ) {
    const page = await readAfter(after);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last[key];
  }
}
