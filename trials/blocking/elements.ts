import sharp from "sharp";
import { pick } from "@colophon/testing/chance.ts";
import { type Random, seededRandom } from "@colophon/testing/pictures.ts";

/**
 * Where an element lies in a picture: in a corner, across it at one edge, or over all of it with the picture in its
 * middle.
 */
export type Seat = "corner" | "across" | "around";

/** Something that many people's pictures carry. */
export interface Element {
  readonly name: string;
  readonly seat: Seat;
  /** PNG, as it would be registered. */
  readonly image: Uint8Array;
  readonly width: number;
  readonly height: number;
}

interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly body: string;
}

const COLOURS = ["#0a3d91", "#b3001b", "#117733", "#e07b00", "#4b2e83", "#1a1a1a", "#00798c"] as const;
const WORDS = [
  "Harbour",
  "Northern",
  "Daily",
  "Press",
  "Image",
  "Planet",
  "Media",
  "Coast",
  "Union",
  "Herald",
] as const;
const between = (random: Random, least: number, most: number): number => least + (most - least) * random();
const words = (random: Random, count: number): string =>
  Array.from({ length: count }, () => pick(random, WORDS)).join(" ");

const text = (x: number, y: number, size: number, colour: string, value: string, weight = "bold"): string =>
  `<text x="${x}" y="${y}" font-family="Liberation Sans, DejaVu Sans, sans-serif" font-weight="${weight}" font-size="${size}" fill="${colour}">${value}</text>`;
const rectangle = (x: number, y: number, width: number, height: number, colour: string, more = ""): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${colour}" ${more}/>`;

function logo(random: Random): Drawing {
  const [first, second] = [pick(random, COLOURS), pick(random, COLOURS)];
  const petals = Array.from(
    { length: 3 + Math.floor(5 * random()) },
    (_, k, turn = between(random, 38, 75)) =>
      `<ellipse cx="60" cy="34" rx="12" ry="24" fill="${k % 2 ? first : second}" transform="rotate(${k * turn} 60 60)"/>`,
  );
  const body = `${rectangle(0, 0, 360, 120, "#ffffff")}${petals.join("")}${text(125, 58, 38, first, words(random, 1))}${text(125, 96, 24, second, words(random, 2), "normal")}`;
  return { width: 360, height: 120, body };
}

function badge(random: Random): Drawing {
  const ring = (x: number, letters: string): string =>
    `<circle cx="${x}" cy="31" r="22" fill="#fff" stroke="#000" stroke-width="6"/>${text(x - 14, 40, 24, "#000", letters)}`;
  const body = `${rectangle(0, 0, 240, 84, "#abb1aa")}${rectangle(2, 58, 236, 24, "#000")}${ring(40, "cc")}${ring(120, "i")}${ring(200, pick(random, ["=", "$", "0"]))}${text(70, 76, 16, "#fff", `BY ${pick(random, ["SA", "ND", "NC"])}`)}`;
  return { width: 240, height: 84, body };
}

function squareCode(random: Random): Drawing {
  const side = 29 + 4 * Math.floor(4 * random());
  const cell = 8;
  const finder = (x: number, y: number): string =>
    `${rectangle(x, y, 7, 7, "#000")}${rectangle(x + 1, y + 1, 5, 5, "#fff")}${rectangle(x + 2, y + 2, 3, 3, "#000")}`;
  let modules = "";
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) if (random() < 0.5) modules += `M${x} ${y}h1v1h-1z`;
  }
  const eyes = [
    [0, 0],
    [side - 7, 0],
    [0, side - 7],
  ].map(([x, y]) => `${rectangle(x! - 1, y! - 1, 9, 9, "#fff")}${finder(x!, y!)}`);
  const size = (side + 8) * cell;
  const body = `${rectangle(0, 0, size, size, "#fff")}<g transform="scale(${cell}) translate(4 4)"><path d="${modules}"/>${eyes.join("")}</g>`;
  return { width: size, height: size, body };
}

function barcode(random: Random): Drawing {
  let bars = "";
  let x = 20;
  while (x < 380) {
    const width = 2 + 2 * Math.floor(4 * random());
    bars += rectangle(x, 14, width, 130, "#000");
    x += width + 2 + 2 * Math.floor(4 * random());
  }
  const digits = Array.from({ length: 13 }, () => Math.floor(10 * random())).join("");
  return {
    width: 400,
    height: 180,
    body: `${rectangle(0, 0, 400, 180, "#fff")}${bars}${text(70, 170, 26, "#000", digits, "normal")}`,
  };
}

function caption(random: Random): Drawing {
  const colour = pick(random, COLOURS);
  const body = `${rectangle(0, 0, 900, 130, colour)}${rectangle(0, 84, 900, 46, "#fff")}${text(24, 62, 54, "#fff", `BREAKING ${words(random, 1).toUpperCase()} LIVE`)}${text(24, 118, 30, "#111", words(random, 6), "normal")}`;
  return { width: 900, height: 130, body };
}

function strip(random: Random): Drawing {
  const body = `${rectangle(0, 0, 1000, 110, "#f4f4f0")}${text(30, 46, 34, "#222", words(random, 6))}${text(30, 92, 30, "#555", words(random, 8), "normal")}`;
  return { width: 1000, height: 110, body };
}

function statusBar(random: Random, height: number): Drawing {
  const size = height * 0.5;
  const dark = random() < 0.5;
  const [ground, ink] = dark ? ["#101010", "#f5f5f5"] : ["#fafafa", "#111"];
  const y = height / 2 - size * 0.35;
  const strengths = [0, 1, 2, 3].map((k) =>
    rectangle(800 + k * size * 0.3, y + size * 0.6 - k * size * 0.2, size * 0.2, size * (0.2 + 0.2 * k), ink),
  );
  const battery = `${rectangle(900, y, size * 1.5, size * 0.8, ink, 'rx="4"')}${rectangle(900 + 3, y + 3, size * 1.5 - 6, size * 0.8 - 6, ground)}${rectangle(900 + 5, y + 5, (size * 1.5 - 10) * random(), size * 0.8 - 10, ink)}`;
  const hour = `${Math.floor(between(random, 7, 23))}:${Math.floor(between(random, 10, 59))}`;
  const dots = [0, 1, 2].map(
    (k) => `<circle cx="${320 + 2 * k * size}" cy="${height / 2}" r="${size * 0.35}" fill="${ink}"/>`,
  );
  return {
    width: 1000,
    height,
    body: `${rectangle(0, 0, 1000, height, ground)}${text(40, height / 2 + size * 0.36, size, ink, hour)}${dots.join("")}${strengths.join("")}${text(690, height / 2 + size * 0.3, size * 0.8, ink, "5G")}${battery}`,
  };
}

function addressBar(random: Random): Drawing {
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
    (colour, k) => `<circle cx="${30 + 32 * k}" cy="40" r="11" fill="${colour}"/>`,
  );
  const arrows = `<path d="M160 40l18 -16v32z M240 40l-18 -16v32z" fill="#666"/>`;
  const body = `${rectangle(0, 0, 1000, 80, "#dfe3e8")}${dots.join("")}${arrows}${rectangle(270, 16, 650, 48, "#fff", 'rx="24"')}${text(310, 49, 26, "#444", `https://www.${words(random, 1).toLowerCase()}.example/${words(random, 1).toLowerCase()}`, "normal")}<path d="M950 26h24M950 40h24M950 54h24" stroke="#555" stroke-width="5"/>`;
  return { width: 1000, height: 80, body };
}

const star = (x: number, y: number, radius: number): string =>
  Array.from({ length: 10 }, (_, k) => {
    const reach = k % 2 ? radius * 0.4 : radius;
    const turn = (k * Math.PI) / 5;
    return `${(x + reach * Math.sin(turn)).toFixed(1)},${(y - reach * Math.cos(turn)).toFixed(1)}`;
  }).join(" ");

function flag(random: Random): Drawing {
  const [ground, canton] = [pick(random, COLOURS), pick(random, COLOURS)];
  const stripes = Array.from({ length: 6 }, (_, k) => rectangle(0, 20 + 40 * k, 400, 20, ground));
  const rows = 3 + Math.floor(3 * random());
  const stars = Array.from({ length: rows * 5 }, (_, k) => {
    const [x, y] = [20 + 34 * (k % 5), (130 * (Math.floor(k / 5) + 0.5)) / rows];
    return `<polygon points="${star(x, y, 11)}" fill="#fff"/>`;
  });
  return {
    width: 400,
    height: 260,
    body: `${rectangle(0, 0, 400, 260, "#fff")}${stripes.join("")}${rectangle(0, 0, 180, 130, canton)}${stars.join("")}`,
  };
}

function smiley(random: Random): Drawing {
  const bend = between(random, 60, 140);
  const body = `${rectangle(0, 0, 300, 300, "#ffffff")}<circle cx="150" cy="150" r="135" fill="#ffd93b" stroke="#c98d00" stroke-width="6"/><ellipse cx="105" cy="115" rx="16" ry="26"/><ellipse cx="195" cy="115" rx="16" ry="26"/><path d="M80 180Q150 ${180 + bend} 220 180" fill="none" stroke="#222" stroke-width="12"/>`;
  return { width: 300, height: 300, body };
}

function rating(random: Random): Drawing {
  const full = 1 + Math.floor(5 * random());
  const stars = Array.from(
    { length: 5 },
    (_, k) => `<polygon points="${star(45 + 70 * k, 50, 32)}" fill="${k < full ? "#f5a623" : "#cccccc"}"/>`,
  );
  return {
    width: 370,
    height: 150,
    body: `${rectangle(0, 0, 370, 150, "#fff")}${stars.join("")}${text(20, 132, 32, "#333", `${words(random, 1)} 4.${full}`)}`,
  };
}

function stamp(random: Random): Drawing {
  const colour = pick(random, COLOURS);
  const teeth = Array.from({ length: 24 }, (_, k) =>
    rectangle(146, 6, 8, 26, colour, `transform="rotate(${15 * k} 150 150)"`),
  );
  return {
    width: 300,
    height: 300,
    body: `${rectangle(0, 0, 300, 300, "#fdfdfb")}${teeth.join("")}<circle cx="150" cy="150" r="112" fill="none" stroke="${colour}" stroke-width="9"/>${text(62, 142, 44, colour, "VERIFIED".slice(0, 7))}${text(70, 190, 34, colour, words(random, 1))}`,
  };
}

/**
 * Television: a sign in one corner and a band below on a ground of one colour, registered as one picture of the whole
 * screen.
 */
function screen(random: Random): Drawing {
  const colour = pick(random, COLOURS);
  const body = `${rectangle(0, 0, 960, 540, "#00b140")}${rectangle(820, 30, 110, 60, colour)}${text(838, 72, 36, "#fff", "TV4")}${rectangle(40, 440, 700, 70, "#fff")}${text(60, 486, 36, colour, words(random, 4))}`;
  return { width: 960, height: 540, body };
}

/** A band of grained wood all round, registered with an empty middle. */
async function woodenFrame(random: Random): Promise<{ image: Uint8Array; width: number; height: number }> {
  const [width, height] = [1_000, 680];
  const band = 50;
  const data = new Uint8Array(3 * width * height).fill(255);
  const [phase, knots] = [100 * random(), between(random, 0.02, 0.06)];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const depth = Math.min(x, y, width - 1 - x, height - 1 - y);
      if (depth >= band) continue;
      const isUpright = depth === x || depth === width - 1 - x;
      const along = isUpright ? y : x;
      const grain = Math.sin(depth * 0.9 + 3 * Math.sin(along * knots + phase)) + 0.5 * random();
      data.set([120 + 30 * grain, 78 + 22 * grain, 40 + 14 * grain], 3 * (y * width + x));
    }
  }
  const image = await sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
  return { image, width, height };
}

const DRAWN: Readonly<Record<string, readonly [Seat, (random: Random) => Drawing]>> = {
  logo: ["corner", logo],
  "licence badge": ["corner", badge],
  "square code": ["corner", squareCode],
  barcode: ["corner", barcode],
  "news caption": ["corner", caption],
  "text strip": ["across", strip],
  "status bar, low": ["across", (random) => statusBar(random, 44)],
  "status bar, middle": ["across", (random) => statusBar(random, 66)],
  "status bar, high": ["across", (random) => statusBar(random, 100)],
  "address bar": ["across", addressBar],
  flag: ["corner", flag],
  smiley: ["corner", smiley],
  rating: ["corner", rating],
  stamp: ["corner", stamp],
  "screen of a channel": ["around", screen],
};

/** The elements that `seed` draws, each kind once. */
export async function drawElements(seed: number): Promise<Element[]> {
  const random = seededRandom(seed);
  const drawn = Object.entries(DRAWN).map(async ([name, [seat, draw]]) => ({
    name,
    seat,
    ...(await rendered(draw(random))),
  }));
  return [
    ...(await Promise.all(drawn)),
    { name: "wooden frame", seat: "around", ...(await woodenFrame(random)) },
  ];
}

/** Elements on an empty ground of the size of the pictures that will carry them: what an attacker would register. */
export async function onEmptyGround(element: Element, seed: number): Promise<Element> {
  const random = seededRandom(seed);
  const [width, height] = [1_000, 680];
  const scaled = await sharp(element.image)
    .resize(Math.round(width * between(random, 0.2, 0.35)))
    .png()
    .toBuffer({ resolveWithObject: true });
  const left = Math.round(random() * (width - scaled.info.width));
  const top = Math.round(random() * Math.max(0, height - scaled.info.height));
  const ground = {
    width,
    height,
    channels: 3,
    background: pick(random, ["#ffffff", "#f6f6f2"]),
  } as const;
  const image = await sharp({ create: ground })
    .composite([{ input: scaled.data, left, top }])
    .png()
    .toBuffer();
  return { ...element, name: `${element.name} on empty ground`, image, width, height };
}

async function rendered({
  width,
  height,
  body,
}: Drawing): Promise<{ image: Uint8Array; width: number; height: number }> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${body}</svg>`;
  return { image: await sharp(Buffer.from(svg)).png().toBuffer(), width, height };
}
