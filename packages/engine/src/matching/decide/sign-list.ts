/** A share in 1/255. */
const inByte = (part: number, whole: number): number =>
  whole <= 0 ? 0 : Math.max(0, Math.min(255, Math.floor((255 * part) / whole)));
/** A count on a scale that doubles every 24 steps. */
export const counted = (count: number): number => Math.min(255, Math.floor(24 * Math.log2(1 + count)));

/** Of ascending values the one below which a share of them lies; 0 of none. */
export const quantile = (ascending: Float64Array, share: number): number =>
  ascending[Math.floor(share * ascending.length)] ?? 0;

/**
 * Signs by name; every value is a whole number from 0 to 255. A count or a share of what was not looked at, which is
 * undefined, is 0.
 */
export class Signs {
  readonly names: string[];
  readonly values: number[];
  readonly #prefix: string;

  constructor(prefix = "", { names, values }: Pick<Signs, "names" | "values"> = { names: [], values: [] }) {
    this.#prefix = prefix;
    this.names = names;
    this.values = values;
  }

  /** The same signs; the names of what is added through the answer begin with `label.`. */
  under(label: string): Signs {
    return new Signs(`${this.#prefix}${label}.`, this);
  }

  add(name: string, value: number): void {
    this.names.push(this.#prefix + name);
    this.values.push(value);
  }

  count(name: string, count: number | undefined): void {
    this.add(name, counted(count ?? 0));
  }

  share(name: string, part: number | undefined, whole: number | undefined): void {
    this.add(name, inByte(part ?? 0, whole ?? 0));
  }
}
