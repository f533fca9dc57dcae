/** A share in 1/255. */
const inByte = (part: number, whole: number): number =>
  whole <= 0 ? 0 : Math.max(0, Math.min(255, Math.floor((255 * part) / whole)));
/** A count on a scale that doubles every 24 steps. */
export const counted = (count: number): number => Math.min(255, Math.floor(24 * Math.log2(1 + count)));

/** Of ascending values the one below which a share of them lies; 0 of none. */
export const quantile = (ascending: Float64Array, share: number): number =>
  ascending[Math.floor(share * ascending.length)] ?? 0;

/** Signs by name; every value is a whole number from 0 to 255. */
export class Signs {
  readonly names: string[] = [];
  readonly values: number[] = [];

  add(name: string, value: number): void {
    this.names.push(name);
    this.values.push(value);
  }

  share(name: string, part: number, whole: number): void {
    this.add(name, inByte(part, whole));
  }
}
