const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,3})0*)?Z$/;

/**
 * The instant that an RFC 3339 text in UTC names, to the millisecond. An Invalid Date, which compares false with
 * everything, for any other text: another notation, a day that is not in the calendar, digits beyond the millisecond
 * that say something.
 */
export function readInstant(text: string): Date {
  const [, seconds = "", fraction = ""] = INSTANT.exec(text) ?? [];
  const canonical = `${seconds}.${fraction.padEnd(3, "0")}Z`;
  const instant = new Date(canonical);
  return !Number.isNaN(instant.getTime()) && instant.toISOString() === canonical ? instant : new Date(NaN);
}
