import { TILE_WIDTH, type Tile } from "./tiles.ts";

/** A tile, or the bundle of the entries below a tile of level 0. */
export type TileName = Omit<Tile, "level"> & { readonly level: number | "entries" };

const GROUP = 1000;
/** At most six groups: more would pass 2 ** 53. */
const PATH = /^tile\/(entries|[1-5]?\d|6[0-3])\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** The path of a tile or a bundle below the log's prefix, as C2SP tlog-tiles has it: `tile/0/x001/234.p/5`. */
export function tilePath({ level, index, width }: TileName): string {
  const groups: string[] = [];
  for (let rest = index; groups.length === 0 || rest > 0; rest = Math.floor(rest / GROUP)) {
    groups.unshift(String(rest % GROUP).padStart(3, "0"));
  }
  const number = groups.map((group, i) => (i < groups.length - 1 ? `x${group}` : group)).join("/");
  return `tile/${level}/${number}${width < TILE_WIDTH ? `.p/${width}` : ""}`;
}

/** What a path below the log's prefix names; null for a path that `tilePath` does not write. */
export function parseTilePath(path: string): TileName | null {
  const [, level, number, width = TILE_WIDTH] = PATH.exec(path) ?? [];
  if (number === undefined) return null;
  const name: TileName = {
    level: level === "entries" ? level : Number(level),
    index: Number(number.replaceAll(/[x/]/g, "")),
    width: Number(width),
  };
  return tilePath(name) === path ? name : null;
}
