import { type Random, seededRandom } from "@colophon/testing/pictures.ts";
import { pick } from "@colophon/testing/chance.ts";
import { between, several } from "./designs/language.ts";

/**
 * Draws a page as SVG. Two pages of one template share headings, rules and labels, and say different things; `random`
 * chooses what they say.
 */
type Template = (random: Random) => string;

const WORDS = [
  "Harvest",
  "Quarter",
  "Rivers",
  "Budget",
  "Winter",
  "Signal",
  "Garden",
  "Energy",
  "Archive",
  "Harbour",
];
const NAMES = [
  "Anna Kern",
  "Jo Smith",
  "Pavel Novak",
  "Maria Lopez",
  "Tim Becker",
  "Ines Roth",
  "Lea Brandt",
  "Omar Said",
];
const COLOURS = ["#4285f4", "#db4437", "#f4b400", "#0f9d58"];

const number = (random: Random, digits: number): string =>
  String(between(random, 10 ** (digits - 1), 10 ** digits - 1));

function text(x: number, y: number, size: number, said: string, fill = "#000"): string {
  return `<text x="${x}" y="${y}" font-family="DejaVu Sans" font-size="${size}" fill="${fill}">${said}</text>`;
}

function box(x: number, y: number, width: number, height: number, style: string): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" ${style}/>`;
}

function page(width: number, height: number, ground: string, parts: readonly string[]): string {
  const whole = box(0, 0, width, height, `fill="${ground}"`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${whole}${parts.join("")}</svg>`;
}

const LINED = 'fill="none" stroke="#000" stroke-width="2"';

const slide: Template = (random) =>
  page(1280, 720, "#1e3c6e", [
    box(0, 640, 1280, 80, 'fill="#f0b41e"'),
    '<circle cx="100" cy="90" r="40" fill="#fff"/>',
    text(160, 105, 40, "Acme Institute", "#fff"),
    text(120, 360, 80, `${pick(random, WORDS)} ${pick(random, WORDS)}`, "#fff"),
    text(60, 690, 26, `Confidential - page ${between(random, 1, 60)}`),
  ]);

const card: Template = (random) =>
  page(900, 560, "#f5f5fa", [
    box(0, 0, 900, 110, 'fill="#961428"'),
    text(30, 72, 52, "CITY LIBRARY CARD", "#fff"),
    box(40, 150, 240, 310, LINED),
    '<circle cx="160" cy="240" r="50" fill="#5a5a5a"/><path d="M80 410 a80 110 0 0 1 160 0z" fill="#5a5a5a"/>',
    ...["Name", "Number", "Valid until"].map((label, k) => text(320, 185 + 110 * k, 26, label, "#5a5a5a")),
    text(320, 230, 40, pick(random, NAMES)),
    text(320, 340, 40, number(random, 9)),
    text(320, 450, 40, `${between(random, 10, 12)}/20${between(random, 24, 40)}`),
  ]);

const form: Template = (random) =>
  page(800, 1100, "#fff", [
    text(60, 80, 42, "APPLICATION FORM 12-B"),
    ...[
      "Surname",
      "First name",
      "Date of birth",
      "Street",
      "Town",
      "Telephone",
      "Occupation",
      "Signature",
    ].flatMap((label, k) => [
      text(60, 176 + 110 * k, 26, label),
      box(300, 140 + 110 * k, 440, 60, LINED),
      text(315, 180 + 110 * k, 30, pick(random, [...WORDS, ...NAMES]), "#141e78"),
    ]),
  ]);

const dialog: Template = (random) =>
  page(1000, 700, "#e1e4eb", [
    box(150, 150, 700, 400, 'rx="20" fill="#fff" stroke="#787878" stroke-width="2"'),
    box(150, 150, 700, 60, 'fill="#3c6ec8"'),
    text(175, 192, 34, pick(random, ["Warning", "Settings", "Update", "Error"]), "#fff"),
    ...several(3, (k) => text(190, 270 + 55 * k, 26, several(4, () => pick(random, WORDS)).join(" "))),
    box(440, 470, 160, 55, 'rx="10" fill="#dcdcdc"'),
    box(640, 470, 160, 55, 'rx="10" fill="#3c6ec8"'),
    text(470, 506, 26, "Cancel"),
    text(700, 506, 26, "OK", "#fff"),
  ]);

/** A point on the rim of the pie, a share of the way round. */
function rim(share: number): string {
  const turn = 2 * Math.PI * share;
  return `${(380 + 280 * Math.cos(turn)).toFixed(1)} ${(410 + 280 * Math.sin(turn)).toFixed(1)}`;
}

function slice(from: number, to: number, fill: string): string {
  return `<path d="M380 410 L${rim(from)} A280 280 0 ${to - from > 0.5 ? 1 : 0} 1 ${rim(to)}z" fill="${fill}"/>`;
}

const pie: Template = (random) => {
  const cuts = [0, ...several(3, () => random()).toSorted((a, b) => a - b), 1];
  return page(1000, 750, "#fff", [
    text(330, 70, 48, "Market share"),
    ...COLOURS.flatMap((fill, k) => [
      slice(cuts[k]!, cuts[k + 1]!, fill),
      box(740, 220 + 90 * k, 40, 40, `fill="${fill}"`),
      text(800, 250 + 90 * k, 26, `Brand ${"ABCD"[k]}`),
    ]),
  ]);
};

const lines: Template = (random) =>
  page(1100, 700, "#fff", [
    text(380, 48, 40, "Visitors a month"),
    `<path d="M90 40 V620 H1060" ${LINED}/>`,
    ...several(12, (k) => text(110 + 78 * k, 660, 26, "JFMAMJJASOND"[k]!)),
    ...several(5, (k) => text(30, 625 - 120 * k, 26, String(20 * k))),
    `<polyline points="${several(12, (k) => `${120 + 78 * k},${between(random, 80, 600)}`).join(" ")}" fill="none" stroke="#c81e1e" stroke-width="5"/>`,
  ]);

const calendar: Template = (random) => {
  const first = between(random, 0, 6);
  return page(1000, 800, "#fff", [
    box(0, 0, 1000, 120, 'fill="#1e785a"'),
    text(
      40,
      82,
      64,
      `${pick(random, ["January", "March", "May", "July", "August"])} 20${between(random, 20, 30)}`,
      "#fff",
    ),
    ...["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map((day, k) => text(40 + 135 * k, 160, 26, day)),
    ...several(30, (k) => {
      const x = 30 + 135 * ((k + first) % 7);
      const y = 180 + 100 * Math.floor((k + first) / 7);
      return (
        box(x, y, 130, 95, 'fill="none" stroke="#b4b4b4" stroke-width="2"') +
        text(x + 15, y + 44, 34, String(k + 1))
      );
    }),
  ]);
};

const clock: Template = (random) => {
  const hand = (length: number, width: number): string => {
    const turn = 2 * Math.PI * random();
    const x = (400 + length * Math.cos(turn)).toFixed(1);
    const y = (400 + length * Math.sin(turn)).toFixed(1);
    return `<path d="M400 400 L${x} ${y}" stroke="#000" stroke-width="${width}"/>`;
  };
  return page(800, 800, "#f0ebdc", [
    '<circle cx="400" cy="400" r="340" fill="#fff" stroke="#000" stroke-width="12"/>',
    ...several(12, (k) => {
      const turn = (Math.PI / 6) * (k - 2);
      return text(375 + 285 * Math.cos(turn), 418 + 285 * Math.sin(turn), 50, String(k + 1));
    }),
    hand(170, 16),
    hand(250, 9),
  ]);
};

const quote: Template = (random) =>
  page(1080, 1080, "#faf0e1", [
    text(80, 300, 260, "“", "#c8783c"),
    ...several(3, (k) =>
      text(120, 450 + 110 * k, 72, `${pick(random, WORDS)} ${pick(random, WORDS)}`, "#3c281e"),
    ),
    box(120, 800, 280, 6, 'fill="#c8783c"'),
    text(120, 870, 44, `- ${pick(random, NAMES)}`, "#3c281e"),
    text(760, 1025, 26, "@dailyquotes", "#967864"),
  ]);

const result: Template = (random) =>
  page(1280, 720, "#0a5a32", [
    box(0, 0, 1280, 100, ""),
    text(40, 70, 56, "FULL TIME", "#fff"),
    '<circle cx="270" cy="350" r="130" fill="#e6e6f0"/><circle cx="1010" cy="350" r="130" fill="#e63c3c"/>',
    text(470, 390, 130, `${between(random, 0, 9)} - ${between(random, 0, 9)}`, "#fff"),
    text(150, 570, 56, pick(random, WORDS), "#fff"),
    text(890, 570, 56, pick(random, WORDS), "#fff"),
  ]);

const TEMPLATES: Readonly<Record<string, Template>> = {
  slide,
  card,
  form,
  dialog,
  pie,
  lines,
  calendar,
  clock,
  quote,
  result,
};

/** `count` different pages of each template, by its name. */
export function templatePages(
  count: number,
  seed: number,
): { readonly template: string; readonly svg: string }[] {
  return Object.entries(TEMPLATES).flatMap(([template, draw], at) => {
    const random = seededRandom(1000 * seed + at);
    const pages = new Set<string>();
    while (pages.size < count) pages.add(draw(random));
    return [...pages].map((svg) => ({ template, svg }));
  });
}
