import type { Random } from "@colophon/testing/pictures.ts";

/** Size of a sample picture, pixels. */
export const WIDTH = 1280;
export const HEIGHT = 854;

/** A drawing as SVG: what its marks refer to, and the marks. */
export interface Drawing {
  readonly definitions: string;
  readonly marks: string;
}

/** A number between two others. */
export function between(random: Random, least: number, most: number): number {
  return least + (most - least) * random();
}

/** One of a list. */
export function oneOf<Item>(random: Random, items: readonly [Item, ...Item[]]): Item {
  return items[Math.floor(random() * items.length)] ?? items[0];
}

export function rectangle(x: number, y: number, width: number, height: number, more: string): string {
  return `<rect x="${tenth(x)}" y="${tenth(y)}" width="${tenth(width)}" height="${tenth(height)}" ${more}/>`;
}

/** A closed outline through points. */
export function outline(points: readonly (readonly [x: number, y: number])[], more: string): string {
  return `<polygon points="${points.map(([x, y]) => `${tenth(x)},${tenth(y)}`).join(" ")}" ${more}/>`;
}

export function line(from: readonly [number, number], to: readonly [number, number], more: string): string {
  const [[x1, y1], [x2, y2]] = [from, to];
  return `<line x1="${tenth(x1)}" y1="${tenth(y1)}" x2="${tenth(x2)}" y2="${tenth(y2)}" ${more}/>`;
}

/** A ridge from the left edge to the right one, around a height and down to a base: a random walk. */
export function ridge(random: Random, height: number, base: number, relief: number, more: string): string {
  const points: [number, number][] = [[-20, base]];
  const steps = 64;
  let [y, slope] = [height, 0];
  for (let at = 0; at <= steps; at += 1) {
    slope = 0.7 * slope + between(random, -relief, relief);
    y += slope - 0.08 * (y - height);
    points.push([(at / steps) * (WIDTH + 40) - 20, y]);
  }
  return outline([...points, [WIDTH + 20, base]], more);
}

/** Filters that give a drawing grain: clouds, stone, and water that bends what is mirrored in it. */
export function textures(seed: number): string {
  return `
    <filter id="clouds" x="0" y="0" width="100%" height="100%">
      <feTurbulence type="fractalNoise" baseFrequency="0.004 0.011" numOctaves="6" seed="${seed}"/>
      <feColorMatrix values="0 0 0 0 1  0 0 0 0 0.97  0 0 0 0 0.93  2.6 0 0 0 -1.15"/>
    </filter>
    <filter id="grain" x="0" y="0" width="100%" height="100%">
      <feTurbulence type="fractalNoise" baseFrequency="0.35" numOctaves="3" seed="${seed + 1}" result="noise"/>
      <feColorMatrix in="noise" values="0 0 0 0 0.1  0 0 0 0 0.08  0 0 0 0 0.06  0 0 0 -1.6 1.05"/>
      <feComposite in2="SourceGraphic" operator="in" result="specks"/>
      <feMerge><feMergeNode in="SourceGraphic"/><feMergeNode in="specks"/></feMerge>
    </filter>
    <filter id="water" x="0" y="0" width="100%" height="100%">
      <feTurbulence type="fractalNoise" baseFrequency="0.006 0.07" numOctaves="4" seed="${seed + 2}" result="waves"/>
      <feDisplacementMap in="SourceGraphic" in2="waves" scale="46" xChannelSelector="R" yChannelSelector="G"/>
    </filter>
    <filter id="ripples" x="0" y="0" width="100%" height="100%">
      <feTurbulence type="fractalNoise" baseFrequency="0.012 0.16" numOctaves="5" seed="${seed + 3}"/>
      <feColorMatrix values="0 0 0 0 0.95  0 0 0 0 0.97  0 0 0 0 1  3.2 0 0 0 -1.75"/>
    </filter>`;
}

/** The whole file. */
export function svg({ definitions, marks }: Drawing): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}"><defs>${definitions}</defs>${marks}</svg>`;
}

function tenth(value: number): string {
  return value.toFixed(1);
}
