/** The lists of postings that `rows`, a relation, has: one a word, in the order of the words. */
export function listsOf(rows: string): string {
  return `select word, min(image_no) as begins_at,
      string_agg(substring(int4send(image_no) from 2), ''::bytea order by image_no) as numbers
    from ${rows} group by word, image_no >> 24 order by word`;
}
