const UNITS = ["bytes", "kB", "MB", "GB"] as const;

/** A number of bytes for people: `3.4 MB`. */
export function byteSize(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1000 && unit < UNITS.length - 1) [size, unit] = [size / 1000, unit + 1];
  return `${unit === 0 ? size : size.toFixed(size < 10 ? 1 : 0)} ${UNITS[unit] ?? ""}`;
}

/** A count with its noun: `1 file`, `3 files`. */
export function counted(count: number, noun: string, many = `${noun}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : many}`;
}

const NUMBERS = [
  "No",
  "One",
  "Two",
  "Three",
  "Four",
  "Five",
  "Six",
  "Seven",
  "Eight",
  "Nine",
  "Ten",
] as const;

/** A count with its noun as a sentence begins: `One file`, `Three files`, `12 files`. */
export function numbered(count: number, noun: string): string {
  const number = NUMBERS[count];
  return number === undefined ? counted(count, noun) : `${number} ${count === 1 ? noun : `${noun}s`}`;
}

/** An instant for people, in UTC: `21 November 2026, 19:36 UTC`. */
export function instant(date: Date): string {
  if (Number.isNaN(date.getTime())) return "a time that cannot be read";
  const options = { dateStyle: "long", timeStyle: "short", timeZone: "UTC", hourCycle: "h23" } as const;
  return `${new Intl.DateTimeFormat("en-GB", options).format(date).replace(" at ", ", ")} UTC`;
}

/** Hex in groups of eight, for reading and comparing. */
export function grouped(hex: string): string {
  return hex.match(/.{1,8}/g)?.join(" ") ?? "";
}
