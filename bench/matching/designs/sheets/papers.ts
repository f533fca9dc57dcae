import type { Random } from "@colophon/testing/pictures.ts";
import { pick } from "@colophon/testing/chance.ts";
import type { Design } from "../design.ts";
import {
  amount,
  between,
  clockTime,
  date,
  digits,
  person,
  several,
  title,
  word,
  words,
} from "../language.ts";
import { type Plan, print, sheet } from "./sheet.ts";

const UPRIGHT = [
  [800, 1130],
  [860, 1220],
  [760, 1000],
] as const;
const ACROSS = [
  [1240, 700],
  [1100, 780],
  [1320, 620],
] as const;

/** Fine lines woven into each other, as on securities. */
function guilloche({ width, height, random, dull }: Plan): string {
  const waves = several(between(random, 8, 16), (k) => {
    const [high, turns] = [height * (0.05 + 0.2 * random()), 2 + 7 * random()];
    const points = several(90, (x) => {
      const y = height * (0.15 + (0.7 * k) / 15) + high * Math.sin((turns * Math.PI * x) / 45 + k);
      return `${((x * width) / 89).toFixed(1)} ${y.toFixed(1)}`;
    });
    return `<path d="M${points.join("L")}"/>`;
  });
  return `<g fill="none" stroke="${dull}" stroke-width="1">${waves.join("")}</g>`;
}

type Said = (by: Random) => string;

/** Rows and columns of print, of which so large a share is each member's own. */
function cells(
  { width, height, em, random, face, ink, dull, bright, head }: Plan,
  said: readonly Said[],
  rows: number,
  share: number,
): { ground: string; own: Said } {
  const [top, left] = [5 * em, 2 * em];
  const [w, h] = [(width - 2 * left) / said.length, (height - top - 2 * em) / rows];
  const size = Math.min(1.1 * em, 0.6 * h);
  const isOwn = several(rows * said.length, () => random() < share);
  const put = (k: number, by: Random): string =>
    print(
      left + (k % said.length) * w,
      top + (Math.floor(k / said.length) + 0.7) * h,
      size,
      face,
      ink,
      said[k % said.length]!(by),
    );
  const isRuled = random() < 0.5;
  return {
    ground:
      print(left, 3.4 * em, 2.2 * em, head, bright, title(random, "latin", 2)) +
      (isRuled
        ? several(
            rows + 1,
            (k) => `<path d="M${left} ${top + k * h}H${width - left}" stroke="${dull}"/>`,
          ).join("")
        : "") +
      isOwn.map((own, k) => (own ? "" : put(k, random))).join(""),
    own: (by) =>
      print(width - left, 3.4 * em, em, face, ink, date(by), 'text-anchor="end"') +
      isOwn.map((own, k) => (own ? put(k, by) : "")).join(""),
  };
}

const time: Said = (by) => clockTime(by);
const place: Said = (by) => title(by, "latin", 1);

/** Timetables, bills, tickets and certificates with times, names and sums of each member's own. */
export const SHEET_PAPERS: readonly Design[] = [
  sheet("pocket-timetable", UPRIGHT, (plan) =>
    cells(
      plan,
      [place, ...several(between(plan.random, 4, 9), () => time)],
      between(plan.random, 16, 34),
      0.03 + 0.12 * plan.random(),
    ),
  ),
  sheet("platform-board", ACROSS, (plan) => {
    const { width, height, em, random } = plan;
    const { ground, own } = cells(
      { ...plan, ink: "#ffd54a", dull: "#333a44" },
      [time, place, (by) => digits(by, 1), place],
      between(random, 8, 14),
      0.08 + 0.2 * random(),
    );
    return {
      ground: `<path fill="#10151c" d="M0 0H${width}V${height}H0z"/><path fill="#1d2733" d="M0 0H${width}V${4.4 * em}H0z"/>${ground}`,
      own,
    };
  }),
  sheet("bistro-menu", UPRIGHT, (plan) => {
    const { width, em, random, face, head, ink, bright } = plan;
    const courses = between(random, 3, 5);
    const dish = (y: number, by: Random): string =>
      print(2 * em, y, 1.4 * em, face, ink, title(by, "latin", between(by, 2, 4))) +
      print(width - 2 * em, y, 1.4 * em, face, ink, amount(by), 'text-anchor="end"');
    const lines = several(courses * 4, (k) => (5.5 + 2.3 * k + 1.6 * Math.floor(k / 4)) * em);
    const isOwn = lines.map(() => random() < 0.3);
    return {
      ground:
        print(
          width / 2,
          3.2 * em,
          2.6 * em,
          head,
          bright,
          title(random, "latin", 2),
          'text-anchor="middle"',
        ) +
        lines
          .map((y, k) =>
            k % 4 === 0
              ? print(2 * em, y, 1.7 * em, head, bright, word(random, "latin"))
              : isOwn[k]!
                ? ""
                : dish(y, random),
          )
          .join(""),
      own: (by) =>
        lines.map((y, k) => (k % 4 > 0 && isOwn[k]! ? dish(y, by) : "")).join("") +
        print(width / 2, 4.5 * em, em, face, ink, date(by), 'text-anchor="middle"'),
    };
  }),
  sheet("supplier-bill", UPRIGHT, (plan) => {
    const { em, random, face, head, ink, bright, dull, width, height } = plan;
    const rows = between(random, 4, 9);
    return {
      ground:
        `<path fill="${bright}" d="M0 0H${width}V${0.8 * em}H0z"/>` +
        print(2 * em, 4 * em, 2.4 * em, head, bright, title(random, "latin", 2)) +
        several(4, (k) => print(2 * em, (6 + 1.4 * k) * em, em, face, ink, words(random, "latin", 3))).join(
          "",
        ) +
        several(
          rows + 2,
          (k) => `<path d="M${2 * em} ${(16 + 2.2 * k) * em}H${width - 2 * em}" stroke="${dull}"/>`,
        ).join("") +
        several(3, (k) =>
          print(2 * em, height - (2 + 1.3 * k) * em, 0.8 * em, face, ink, words(random, "latin", 9)),
        ).join(""),
      own: (by) =>
        several(5, (k) =>
          print(
            width * 0.55,
            (6 + 1.4 * k) * em,
            em,
            face,
            ink,
            k === 0 ? `No ${digits(by, 6)}` : title(by, "latin", 2),
          ),
        ).join("") +
        several(
          rows,
          (k) =>
            print(2 * em, (17.5 + 2.2 * k) * em, em, face, ink, title(by, "latin", 3)) +
            print(width - 2 * em, (17.5 + 2.2 * k) * em, em, face, ink, amount(by), 'text-anchor="end"'),
        ).join(""),
    };
  }),
  sheet("award", ACROSS, (plan) => {
    const { width, height, em, head, face, ink, bright, random } = plan;
    const centred = 'text-anchor="middle"';
    return {
      ground:
        guilloche(plan) +
        `<rect x="${em}" y="${em}" width="${width - 2 * em}" height="${height - 2 * em}" fill="none" stroke="${bright}" stroke-width="${0.5 * em}"/>` +
        print(width / 2, height * 0.25, 3.4 * em, head, ink, title(random, "latin", 2), centred) +
        print(width / 2, height * 0.36, 1.2 * em, face, ink, words(random, "latin", 7), centred) +
        print(width / 2, height * 0.7, 1.2 * em, face, ink, words(random, "latin", 9), centred),
      own: (by) =>
        print(width / 2, height * 0.54, 3 * em, head, bright, person(by, "latin"), centred) +
        print(width * 0.2, height * 0.85, em, face, ink, date(by)) +
        print(width * 0.7, height * 0.85, em, face, ink, person(by, "latin")),
    };
  }),
  sheet("admission", ACROSS, (plan) => {
    const { width, height, em, head, face, ink, bright, random } = plan;
    const bars = (by: Random): string =>
      several(44, (k) =>
        by() < 0.5
          ? `<path fill="${ink}" d="M${width * 0.8 + 4 * k} ${height * 0.3}h${by() < 0.4 ? 4 : 2}v${height * 0.3}h-3z"/>`
          : "",
      ).join("");
    return {
      ground:
        guilloche(plan) +
        `<path d="M${width * 0.76} 0V${height}" stroke="${ink}" stroke-dasharray="9 7" stroke-width="2"/>` +
        print(2 * em, 5 * em, 3.2 * em, head, bright, title(random, "latin", 3)) +
        several(4, (k) => print(2 * em, (9 + 4 * k) * em, 0.8 * em, face, ink, word(random, "latin"))).join(
          "",
        ) +
        print(2 * em, height - em, 0.7 * em, face, ink, words(random, "latin", 14)),
      own: (by) =>
        several(4, (k) =>
          print(
            2 * em,
            (10.8 + 4 * k) * em,
            1.7 * em,
            head,
            ink,
            pick(by, [title(by, "latin", 2), clockTime(by), date(by), digits(by, 4)]),
          ),
        ).join("") + bars(by),
    };
  }),
  sheet("score-display", ACROSS, (plan) => {
    const { width, height, em, random, bright } = plan;
    const dot = height / 44;
    const glow = (x: number, y: number, by: Random): string =>
      several(5 * 7, (k) =>
        by() < 0.45
          ? `<circle cx="${x + (k % 5) * dot}" cy="${y + Math.floor(k / 5) * dot}" r="${0.4 * dot}" fill="${bright}"/>`
          : "",
      ).join("");
    const dark = several(Math.floor(width / dot / 2) * 20, (k) => {
      const across = Math.floor(width / dot / 2);
      return `<circle cx="${(2 * (k % across) + 1) * dot}" cy="${(2 * Math.floor(k / across) + 2) * dot}" r="${0.3 * dot}"/>`;
    });
    const places = several(between(random, 8, 18), (): readonly [number, number] => [
      width * (0.04 + 0.88 * random()),
      height * (0.06 + 0.7 * random()),
    ]);
    const own = places.map(() => random() < 0.35);
    return {
      ground: `<path fill="#0c0f12" d="M0 0H${width}V${height}H0z"/><g fill="#23282e">${dark.join("")}</g>${places.map(([x, y], k) => (own[k]! ? "" : glow(x, y, random))).join("")}${print(2 * em, height - em, 1.6 * em, plan.head, "#ffffff", title(random, "latin", 2))}`,
      own: (by) => places.map(([x, y], k) => (own[k]! ? glow(x, y, by) : "")).join(""),
    };
  }),
  sheet("crossing-schedule", ACROSS, (plan) => {
    const { em, width, height, bright } = plan;
    const { ground, own } = cells(
      plan,
      several(between(plan.random, 8, 14), () => time),
      between(plan.random, 9, 16),
      0.05 + 0.1 * plan.random(),
    );
    return {
      ground: `${ground}<path fill="${bright}" d="M0 ${height - 0.7 * em}H${width}V${height}H0z"/>`,
      own,
    };
  }),
];
