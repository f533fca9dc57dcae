/** Marks that stand on the letter before them, and what has no width. */
const NO_COLUMN = /[\p{M}\p{Cf}]/u;
/** Han, kana, hangul and the forms that go with them, and emoji: wide in Unicode Standard Annex 11. */
const TWO_COLUMNS =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** How many columns of a terminal a text without control characters takes. */
export function terminalColumns(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOf(character);
  return columns;
}

function columnsOf(character: string): number {
  if (character <= "~") return 1;
  if (NO_COLUMN.test(character)) return 0;
  return TWO_COLUMNS.test(character) ? 2 : 1;
}
