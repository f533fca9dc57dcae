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

const HORIZON = 470;
const TOWER = 930;
const MASTS = [590, 630, 672];

/** A lighthouse on its rocks in the evening, a ship far out, birches in front. */
export function lighthouse(random: Random): Drawing {
  return {
    definitions: `${textures(23)}
      <linearGradient id="sky" x2="0" y2="1"><stop stop-color="#2b3358"/><stop offset="0.5" stop-color="#c8695a"/><stop offset="0.72" stop-color="#f6c97b"/></linearGradient>
      <linearGradient id="sea" x2="0" y2="1"><stop stop-color="#b0705f"/><stop offset="0.5" stop-color="#4a4763"/><stop offset="1" stop-color="#1c2238"/></linearGradient>
      <linearGradient id="round" x2="1"><stop stop-color="#000" stop-opacity="0.45"/><stop offset="0.45" stop-color="#fff" stop-opacity="0.18"/><stop offset="1" stop-color="#000" stop-opacity="0.5"/></linearGradient>`,
    marks: `
      <rect width="${WIDTH}" height="${HEIGHT}" fill="url(#sky)"/>
      <rect width="${WIDTH}" height="${HORIZON}" filter="url(#clouds)" opacity="0.7"/>
      <circle cx="330" cy="${HORIZON - 46}" r="44" fill="#fff1c4"/>
      ${rectangle(0, HORIZON, WIDTH, HEIGHT - HORIZON, 'fill="url(#sea)"')}
      <g transform="translate(0 ${HORIZON})"><rect width="${WIDTH}" height="${HEIGHT - HORIZON}" filter="url(#ripples)" opacity="0.55"/></g>
      <g filter="url(#grain)">${ridge(random, HORIZON - 22, HORIZON + 2, 3, 'fill="#3f3a55"')}${ship()}${rocks(random)}${tower()}${rocks(random)}${birches(random)}</g>`,
  };
}

function ship(): string {
  const masts = MASTS.map((x) =>
    line([x, HORIZON - 6], [x, HORIZON - 92], 'stroke="#221c22" stroke-width="3"'),
  );
  const sails = MASTS.flatMap((x) =>
    [88, 62, 36].map((up) =>
      outline(
        [
          [x - 15, HORIZON - up],
          [x + 15, HORIZON - up],
          [x + 19, HORIZON - up + 21],
          [x - 19, HORIZON - up + 21],
        ],
        'fill="#e7d3b0" stroke="#6d5742"',
      ),
    ),
  );
  return [
    ...masts,
    ...sails,
    outline(
      [
        [552, HORIZON - 12],
        [714, HORIZON - 16],
        [690, HORIZON + 8],
        [572, HORIZON + 8],
      ],
      'fill="#2a1f22"',
    ),
  ].join("");
}

function tower(): string {
  const [foot, head] = [660, 196];
  const half = (y: number): number => 34 + (26 * (y - head)) / (foot - head);
  const bands = Array.from({ length: 6 }, (_, at) => {
    const [y, next] = [head + (at * (foot - head)) / 6, head + ((at + 1) * (foot - head)) / 6];
    return outline(
      [
        [TOWER - half(y), y],
        [TOWER + half(y), y],
        [TOWER + half(next), next],
        [TOWER - half(next), next],
      ],
      `fill="${at % 2 === 0 ? "#efe7dc" : "#a8322b"}"`,
    );
  });
  const windows = [262, 340, 428, 520].map((y) =>
    rectangle(TOWER - 7, y, 14, 24, 'fill="#2b2530" stroke="#d9cdb8" stroke-width="2"'),
  );
  const rails = Array.from({ length: 11 }, (_, at) =>
    line([TOWER - 50 + at * 10, 172], [TOWER - 50 + at * 10, 194], 'stroke="#1f1a1e" stroke-width="2"'),
  );
  return [
    outline(
      [
        [TOWER - 26, 150],
        [-40, 60],
        [-40, 190],
      ],
      'fill="#ffe9a8" opacity="0.32"',
    ),
    ...bands,
    outline(
      [
        [TOWER - half(head), head],
        [TOWER + half(head), head],
        [TOWER + half(foot), foot],
        [TOWER - half(foot), foot],
      ],
      'fill="url(#round)"',
    ),
    ...windows,
    rectangle(TOWER - 54, 190, 108, 9, 'fill="#2a2327"'),
    rectangle(TOWER - 52, 170, 104, 4, 'fill="#2a2327"'),
    ...rails,
    rectangle(TOWER - 27, 124, 54, 66, 'fill="#fbe9a9" stroke="#2a2327" stroke-width="4"'),
    ...[-9, 9].map((x) => line([TOWER + x, 124], [TOWER + x, 190], 'stroke="#2a2327" stroke-width="3"')),
    outline(
      [
        [TOWER - 36, 126],
        [TOWER, 84],
        [TOWER + 36, 126],
      ],
      'fill="#7d2320"',
    ),
    line([TOWER, 84], [TOWER, 58], 'stroke="#2a2327" stroke-width="4"'),
    rectangle(TOWER + 58, 566, 128, 92, 'fill="#d8cbb4"'),
    outline(
      [
        [TOWER + 50, 566],
        [TOWER + 122, 514],
        [TOWER + 194, 566],
      ],
      'fill="#5b3b37"',
    ),
    ...[78, 112, 148].map((x) =>
      rectangle(TOWER + x, 588, 20, 26, 'fill="#f3c969" stroke="#4a3a30" stroke-width="3"'),
    ),
  ].join("");
}

function rocks(random: Random): string {
  return Array.from({ length: 46 }, () => {
    const x = TOWER + between(random, -310, 350);
    const y = 640 + between(random, 0, 150) + Math.abs(x - TOWER) * 0.14;
    const [width, height] = [between(random, 34, 96), between(random, 20, 58)];
    const shade = Math.round(between(random, 38, 104));
    const corners = Array.from({ length: 7 }, (_, at): [number, number] => {
      const angle = (at / 7) * 2 * Math.PI;
      const far = between(random, 0.7, 1.15);
      return [x + Math.cos(angle) * width * far, y + Math.sin(angle) * height * far];
    });
    return outline(
      corners,
      `fill="rgb(${shade + 14},${shade},${shade + 8})" stroke="#1b171d" stroke-width="1.5"`,
    );
  }).join("");
}

function birches(random: Random): string {
  return Array.from({ length: 5 }, (_, at) => {
    const x = 40 + at * 86 + between(random, -20, 20);
    const top = between(random, 250, 390);
    const lean = between(random, -18, 18);
    const trunk = outline(
      [
        [x - 9, HEIGHT],
        [x + lean - 4, top],
        [x + lean + 4, top],
        [x + 9, HEIGHT],
      ],
      'fill="#e2dccf"',
    );
    const marks = Array.from({ length: 26 }, () => {
      const y = between(random, top + 30, HEIGHT);
      const along = x + (lean * (HEIGHT - y)) / (HEIGHT - top);
      return line(
        [along - between(random, 1, 8), y],
        [along + between(random, 1, 8), y + between(random, -2, 2)],
        'stroke="#2b2626" stroke-width="3.4"',
      );
    });
    const leaves = Array.from({ length: 130 }, () => {
      const [dx, dy] = [between(random, -74, 74), between(random, -90, 130)];
      const colour = oneOf(random, ["#c98a2b", "#8f7a2e", "#d9b04a", "#6c5a2a", "#b3541e"] as const);
      return `<ellipse cx="${(x + lean + dx * (1 - Math.abs(dy) / 260)).toFixed(1)}" cy="${(top + dy).toFixed(1)}" rx="6.5" ry="4" fill="${colour}" transform="rotate(${Math.round(between(random, 0, 180))} ${(x + dx).toFixed(1)} ${(top + dy).toFixed(1)})"/>`;
    });
    return [trunk, ...marks, ...leaves].join("");
  }).join("");
}
