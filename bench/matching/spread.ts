/** At most `limit` items, spread over the list. */
export function spread<Item>(items: readonly Item[], limit: number): Item[] {
  const step = Math.max(1, items.length / limit);
  return items.filter((_, at) => Math.floor(at / step) > Math.floor((at - 1) / step));
}
