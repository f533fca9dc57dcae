import type { Random } from "@colophon/testing/pictures.ts";
import {
  between,
  type Drawing,
  line,
  oneOf,
  outline,
  rectangle,
  ridge,
  textures,
  WIDTH,
  HEIGHT,
} from "./drawing.ts";

const QUAY = 560;
const WATER = 612;
const WALLS = [
  "#c4553d",
  "#e0a84a",
  "#7d9a8c",
  "#d9c7a3",
  "#46667d",
  "#b97a56",
  "#e3dccb",
  "#8a4b4b",
] as const;
const ROOFS = ["#6d3b2e", "#4c3a39", "#804632", "#3d4650"] as const;
const HULLS = ["#20324a", "#8c2f28", "#e8e2d2", "#2f5d4f"] as const;

/** A harbour by day: gabled houses over a quay, boats, and all of it in the water. */
export function harbour(random: Random): Drawing {
  const town = [
    ridge(random, 330, QUAY, 7, 'fill="#7f9a8a"'),
    ridge(random, 390, QUAY, 5, 'fill="#56745d"'),
    houses(random),
    quay(random),
  ].join("");
  return {
    definitions: `${textures(7)}
      <linearGradient id="sky" x2="0" y2="1"><stop stop-color="#5d93c4"/><stop offset="0.7" stop-color="#cfe0e6"/></linearGradient>
      <linearGradient id="sea" x2="0" y2="1"><stop stop-color="#5f8296"/><stop offset="1" stop-color="#1d3a4b"/></linearGradient>
      <clipPath id="below"><rect y="${WATER}" width="${WIDTH}" height="${HEIGHT - WATER}"/></clipPath>
      <g id="town">${town}</g>`,
    marks: `
      <rect width="${WIDTH}" height="${HEIGHT}" fill="url(#sky)"/>
      <rect width="${WIDTH}" height="460" filter="url(#clouds)"/>
      <use href="#town" filter="url(#grain)"/>
      ${rectangle(0, WATER, WIDTH, HEIGHT - WATER, 'fill="url(#sea)"')}
      <g clip-path="url(#below)"><g opacity="0.5" filter="url(#water)"><g transform="translate(0 ${2 * WATER}) scale(1 -1)"><use href="#town"/></g></g></g>
      <g transform="translate(0 ${WATER})"><rect width="${WIDTH}" height="${HEIGHT - WATER}" filter="url(#ripples)" opacity="0.4"/></g>
      ${[boat(random, 190, 700, 1.25), boat(random, 620, 668, 0.9), boat(random, 1010, 745, 1.5)].join("")}
      ${gulls(random)}`,
  };
}

function houses(random: Random): string {
  const marks: string[] = [];
  for (let x = -20; x < WIDTH; ) {
    const width = between(random, 84, 142);
    marks.push(house(random, x, width, between(random, 150, 262)));
    x += width - 2;
  }
  return marks.join("");
}

function house(random: Random, x: number, width: number, height: number): string {
  const top = QUAY - height;
  const gable = between(random, 40, 78);
  const wall = oneOf(random, WALLS);
  const marks = [
    rectangle(x, top, width, height, `fill="${wall}"`),
    outline(
      [
        [x - 5, top],
        [x + width / 2, top - gable],
        [x + width + 5, top],
      ],
      `fill="${oneOf(random, ROOFS)}"`,
    ),
    rectangle(x + width * between(random, 0.2, 0.65), top - gable * 0.9, 13, gable * 0.6, 'fill="#5a4038"'),
  ];
  const floors = Math.floor(height / 58);
  const columns = width > 110 ? 3 : 2;
  for (let floor = 0; floor < floors; floor += 1) {
    for (let column = 0; column < columns; column += 1) {
      const at = x + ((column + 0.5) * width) / columns;
      marks.push(window(random, at, top + 16 + floor * 56));
    }
  }
  const door = x + width * between(random, 0.3, 0.6);
  marks.push(rectangle(door, QUAY - 52, 24, 52, `fill="${oneOf(random, ROOFS)}"`));
  if (random() < 0.5) {
    marks.push(rectangle(x + 8, QUAY - 66, width - 16, 11, `fill="${oneOf(random, WALLS)}" stroke="#333"`));
  }
  return marks.join("");
}

function window(random: Random, x: number, y: number): string {
  const glass = oneOf(random, ["#25323d", "#3c5261", "#dfe7e4", "#f0d58d"] as const);
  const frame = rectangle(x - 10, y, 20, 31, `fill="${glass}" stroke="#f3efe4" stroke-width="2.5"`);
  const bars =
    line([x, y], [x, y + 31], 'stroke="#f3efe4" stroke-width="1.6"') +
    line([x - 10, y + 12], [x + 10, y + 12], 'stroke="#f3efe4" stroke-width="1.6"');
  if (random() < 0.55) return frame + bars;
  const shutter = `fill="${oneOf(random, ROOFS)}"`;
  return frame + bars + rectangle(x - 18, y, 7, 31, shutter) + rectangle(x + 11, y, 7, 31, shutter);
}

function quay(random: Random): string {
  const stones: string[] = [rectangle(-10, QUAY, WIDTH + 20, WATER - QUAY, 'fill="#8b8274"')];
  for (let y = QUAY; y < WATER; y += 17) {
    for (let x = -20; x < WIDTH; ) {
      const width = between(random, 26, 62);
      const shade = Math.round(between(random, 96, 166));
      stones.push(rectangle(x, y, width - 2, 15, `fill="rgb(${shade},${shade - 8},${shade - 22})"`));
      x += width;
    }
  }
  for (let x = 40; x < WIDTH; x += between(random, 60, 150)) stones.push(person(random, x));
  return stones.join("");
}

function person(random: Random, x: number): string {
  const tall = between(random, 26, 34);
  const coat = oneOf(random, ["#c9302c", "#203a5c", "#e5b53b", "#3a3a3a", "#6b8f71"] as const);
  return `<circle cx="${x}" cy="${QUAY - tall}" r="4.2" fill="#c99a7b"/>${rectangle(x - 4.5, QUAY - tall + 4, 9, tall * 0.5, `fill="${coat}"`)}${rectangle(x - 3.5, QUAY - tall * 0.4, 7, tall * 0.4, 'fill="#2c2c33"')}`;
}

function boat(random: Random, x: number, y: number, scale: number): string {
  const mast = between(random, 150, 190);
  const rigging = 'stroke="#2b2622" stroke-width="1.3"';
  return `<g transform="translate(${x} ${y}) scale(${scale})">
    ${line([0, 0], [0, -mast], 'stroke="#4a3526" stroke-width="5"')}
    ${line([0, -mast], [-88, -6], rigging)}${line([0, -mast], [92, -8], rigging)}${line([0, -mast * 0.55], [60, -22], rigging)}
    ${outline(
      [
        [4, -mast + 12],
        [66, -26],
        [4, -26],
      ],
      'fill="#efe6cf" stroke="#8f8468"',
    )}
    ${outline(
      [
        [-4, -mast + 34],
        [-70, -24],
        [-4, -24],
      ],
      'fill="#d8684a" stroke="#7b3322"',
    )}
    ${outline(
      [
        [-104, -14],
        [108, -18],
        [84, 22],
        [-78, 22],
      ],
      `fill="${oneOf(random, HULLS)}" stroke="#15110e" stroke-width="2"`,
    )}
    ${line([-100, -6], [104, -9], 'stroke="#f2ead6" stroke-width="4"')}
    ${rectangle(-40, -36, 46, 22, 'fill="#e9dfc7" stroke="#5d4a36"')}${rectangle(-33, -31, 11, 10, 'fill="#34495a"')}${rectangle(-15, -31, 11, 10, 'fill="#34495a"')}
    <circle cx="60" cy="-4" r="7" fill="none" stroke="#d9542f" stroke-width="4"/></g>`;
}

function gulls(random: Random): string {
  return Array.from({ length: 9 }, () => {
    const [x, y, size] = [between(random, 60, WIDTH - 60), between(random, 60, 300), between(random, 9, 20)];
    return `<path d="M${x - size} ${y} q ${size / 2} ${-size * 0.7} ${size} 0 q ${size / 2} ${-size * 0.7} ${size} 0" fill="none" stroke="#3b4650" stroke-width="2.6"/>`;
  }).join("");
}
